// Changes of the favourites by other boards of a fleet, on the screen Favourites.

import { bdi, button, h, say } from './dom.js';
import { change, favouritePath, live, mayEdit, text, words } from './live.js';
import { now } from './time.js';

const ages = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: 'auto' });

/** "5 minutes ago" */
function age(at) {
	const minutes = Math.max(0, (now() - Date.parse(at)) / 6e4);
	const [length, unit] = minutes < 60 ? [1, 'minute'] : minutes < 1440 ? [60, 'hour'] : [1440, 'day'];
	return ages.format(-Math.floor(minutes / length), unit);
}

const keys = fields => fields.map(key => words[`${key}Key`] ?? key).join(' · ');

/** A change, with the button that takes it back. */
const view = ({ stop, board, at, kind, fields }, name) => h('div.bar',
	h('p.grow.soft', text(`${kind}By`, board, age(at)), kind == 'changed' && `: ${keys(fields)}`),
	mayEdit && button(words.undo, async () => {
		await change('POST', `${favouritePath(stop)}/revert`);
		say(words.undone, true);
		document.querySelector('h1').focus();
	}, { 'aria-label': `${words.undo}: ${name}` }));

/** The change of a favourite. */
export const of = (stop, name) => live.changes?.filter(one => one.stop == stop).map(one => view(one, name));

/** The stops that another board removed. */
export const removed = () => live.changes?.filter(({ kind }) => kind == 'removed').map(one => {
	const name = one.name ?? one.stop;
	return h('section.card', { 'data-key': `removed ${one.stop}` }, h('h2', bdi(name)), view(one, name));
});
