// The screen Favourites: their order, and what is set of each.

import { nameOf } from './board.js';
import { action, bdi, button, facts, h, heading, say } from './dom.js';
import { daysOf, isOpen, toggle, view as form } from './form.js';
import { change, favouritePath, live, load, mayEdit, text, undo, words } from './live.js';
import { render } from './page.js';
import { inWords, secondsOf } from './time.js';

async function move(favourite, position) {
	await change('PATCH', favouritePath(favourite.stop), { position: live.favourites[position - 1].position });
	say(text('moved', nameOf(favourite), position), true);
}

/** Drags an item by its handle. */
function grab(event, favourite) {
	const { currentTarget: grip, clientY: begin } = event;
	if (grip.busy) return;
	const item = grip.closest('li');
	const items = [...item.parentNode.children];
	const middles = items.map(other => other.getBoundingClientRect()).map(({ top, height }) => top + height / 2);
	grip.setPointerCapture(event.pointerId);
	item.classList.add('drag');
	grip.onpointermove = event => { item.style.transform = `translateY(${event.clientY - begin}px)`; };
	grip.onpointerup = grip.onpointercancel = action(async event => {
		grip.onpointermove = grip.onpointerup = grip.onpointercancel = null;
		item.classList.remove('drag');
		item.style.transform = '';
		const own = items.indexOf(item);
		const place = middles.filter((middle, index) => index != own && middle < event.clientY).length;
		// Meanwhile nothing was drawn.
		render();
		if (event.type == 'pointerup' && place != own) await move(favourite, place + 1);
	});
}

function item(favourite, index, all) {
	const word = nameOf(favourite), isEdited = isOpen(favourite.stop), label = { 'aria-label': text('moveToOf', word) };
	const arrow = (sign, key, to) => {
		const isEnd = to < 1 || to > all.length;
		return button(sign, () => isEnd || move(favourite, to), { 'aria-label': text(key, word), 'aria-disabled': isEnd });
	};
	const chosen = async event => {
		const field = event.currentTarget.previousSibling, to = Number(field.value);
		field.value = '';
		if (to) await move(favourite, to);
	};
	return h('li.card.fav', { 'data-key': favourite.stop },
		h('div.bar',
			mayEdit && all.length > 1 && h('span.grip', { 'aria-hidden': true, onpointerdown: event => grab(event, favourite) }, '⠿'),
			h('div.grow', h('h2', h('span.to', bdi(word))), facts([
				favourite.label && nameOf({ ...favourite, label: null }), favourite.lines?.join(', '), favourite.walk && text('walkOf', inWords(secondsOf(favourite.walk))),
				favourite.when?.map(hours => hours.replace(/^[a-z,]+/, daysOf)).join(', '),
				favourite.towards[0] && text('towardsOf', favourite.towards.join(', ')),
				favourite.platforms?.length > 0 && text('platform', favourite.platforms.join(', ')),
				favourite.directions?.join(', '),
			]))),
		favourites.changes?.of(favourite.stop, word),
		mayEdit && h('div.tools',
			all.length > 1 && [
				arrow('↑', 'moveUp', index), arrow('↓', 'moveDown', index + 2),
				h('select', label,
					h('option', { value: '' }, words.moveTo), all.map((_, other) => other != index && h('option', other + 1))),
				button('✓', chosen, label),
			],
			button(words.edit, () => toggle(favourite), { 'data-edit': favourite.stop, 'aria-expanded': `${isEdited}`, 'aria-label': text('editOf', word) })),
		isEdited && form(favourite));
}

export const favourites = {
	screen: 'favourites',
	title: words.favourites,
	async enter() {
		if (!live.changes) return;
		this.changes ??= await load('changes');
		render();
	},
	view() {
		const all = live.favourites;
		return [
			heading(words.favourites),
			!mayEdit && h('p.notice', words.readOnly),
			all.length == 0 && h('p', words.noFavourites),
			h('ol.form', all.map(item)),
			favourites.changes?.removed(),
			mayEdit && h('div.tools', h('a.button.primary', { href: '/find' }, words.findStop), button(words.undoLast, undo)),
		];
	},
};
