// The form of a favourite, on the screens Favourites and Stop. Its fields and buttons write to `open.draft`, which alone is saved.

import { directionOf, nameOf } from './board.js';
import { action, button, byID, h, say } from './dom.js';
import { change, favouritePath, live, request, stopPath, text, words } from './live.js';
import { guard, known, lead, render } from './page.js';
import { secondsOf } from './time.js';

/** The form that is open, or null: its favourite as it was, what its fields had then and have now, and the error at one of them. */
let open = null;

// What the fields have, and what the board takes.

const week = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const days = ['daily', 'weekdays', 'weekend', ...week];
/** "Monday to Friday", "Mon, Wed": of days as the board writes them. */
export const daysOf = written => words[written] ?? written.split(',').map(day => words.dayNames.split(' ')[week.indexOf(day)] ?? day).join(', ');

let rows = 0;
export const hoursOf = written => {
	const [, day = 'daily', from = '', until = ''] = written.match(/^([a-z,]+)?\s*(?:(\S*)-(\S*))?$/) ?? [];
	return { id: rows += 1, day, from, until };
};
const writtenHours = ({ day, from, until }) => from || until ? `${day} ${from}-${until}` : day;

const draftOf = ({ label, lines, directions, sort, walk, when, platforms, towards }) => ({
	label: label ?? '', lines: lines?.join(', ') ?? '', directions: directions ?? [], sort: sort ?? 'time',
	walk: walk ? `${+(secondsOf(walk) / 60).toFixed(2)}` : '', when: when?.map(hoursOf) ?? [],
	platforms: platforms?.join(', ') ?? '', towards: towards?.join(', ') ?? '',
});

const same = (one, other) => one.toLowerCase() == other.toLowerCase();
const once = all => all.filter((item, index) => all.findIndex(other => same(item, other)) == index);
const listed = typed => once(typed.split(',').map(part => part.trim()).filter(Boolean));

function writtenWalk(typed) {
	const minutes = Number(typed.replace(',', '.'));
	return !typed ? '' : minutes % 1 ? `${Math.round(60 * minutes)}s` : `${typed}m`;
}

const bodyOf = ({ label, lines, directions, sort, walk, when, platforms, towards }) => ({
	label: label.trim(), lines: listed(lines), directions, sort, walk: writtenWalk(walk.trim()), when: once(when.map(writtenHours)),
	platforms: listed(platforms), towards: listed(towards),
});

/** What is not as before: the rest stays as another device may have changed it. */
function changes() {
	const before = bodyOf(open.before), entries = Object.entries(bodyOf(open.draft));
	return Object.fromEntries(entries.filter(([key, value]) => JSON.stringify(value) != JSON.stringify(before[key])));
}

// Opening and closing.

export const isOpen = stop => open?.favourite.stop == stop;

/** Whether closing loses something. */
const isChanged = () => !!open && !!live?.favourites.some(({ stop }) => isOpen(stop)) && Object.keys(changes()).length > 0;
const stay = event => isChanged() && event.preventDefault();

function drop() {
	open = null;
	guard(null);
	removeEventListener('beforeunload', stay);
}

function close(stop) {
	drop();
	render();
	document.querySelector(`[data-edit="${CSS.escape(stop)}"]`)?.focus();
}

/** Opens the form of a favourite, or closes it. Another one that has changes asks first. */
export async function toggle(favourite) {
	const { stop } = favourite, wasOpen = isOpen(stop);
	say('');
	if (isChanged() && !await ask()) return;
	if (wasOpen) return close(stop);
	const before = draftOf(favourite);
	open = { favourite, before, draft: structuredClone(before), fault: null };
	guard({ isChanged, ask, drop });
	addEventListener('beforeunload', stay);
	render();
	byID('label').focus();
	// All lines of the stop, also those without departures now.
	if (!known.has(stop)) request('GET', stopPath(stop)).then(({ stop: entry }) => known.set(stop, entry)).then(render).catch(() => { });
}

/** Asks in a dialogue: the value of the button that is tapped, whose word and class `all` has; '' if it is left. */
export const answer = (question, all) => new Promise(done => {
	const dialog = h('dialog', { 'aria-labelledby': 'question' }, h('div.form', h('h2', { id: 'question' }, question),
		h('div.tools', Object.entries(all).map(([value, [word, kind]]) => button(word, () => dialog.close(value), { class: kind })))));
	dialog.onclose = () => {
		dialog.remove();
		done(dialog.returnValue);
	};
	document.body.append(dialog);
	dialog.showModal();
});

/** Asks what becomes of the changes; whether the form may be left. */
async function ask() {
	if (document.querySelector('dialog')) return false;
	const choice = await answer(words.unsaved, { save: [words.save, 'primary'], discard: [words.discard, 'danger'], '': [words.keepEditing] });
	if (choice == 'discard') drop();
	// What cannot be saved stays.
	return choice == 'discard' || choice == 'save' && await save().catch(error => say(error.message)) === true;
}

/** Whether it is saved; an error of a field is shown there. */
async function save() {
	const { favourite } = open, body = changes(), changed = Object.keys(body);
	try {
		if (changed[0]) await change('PATCH', favouritePath(favourite.stop), body);
	} catch (error) {
		const key = error.value?.key;
		if (!changed.includes(key)) throw error;
		open.fault = { key, sentence: error.message };
		render();
		(byID(key).querySelector('select, button') ?? byID(key)).focus();
		return false;
	}
	close(favourite.stop);
	say(text('saved', nameOf(favourite)), changed[0]);
	lead?.saved();
	return true;
}

async function remove({ favourite }) {
	await change('DELETE', favouritePath(favourite.stop));
	drop();
	render();
	say(text('removed', nameOf(favourite)), true);
	document.querySelector('h1').focus();
}

// The fields.

function put(key, value) {
	open.draft[key] = value;
	if (open.fault?.key == key) open.fault = null;
	render();
}

const isFaulty = key => open.fault?.key == key;
const help = key => h('p', { id: `${key}-help`, class: isFaulty(key) ? 'error' : 'soft' }, isFaulty(key) ? open.fault.sentence : words[`${key}Help`]);

/** What a person types or chooses goes to the draft. */
const writing = write => ({ oninput: event => write(event.target.value), onchange: event => write(event.target.value) });

const field = (key, more) => h('div', h('label', { for: key }, words[`${key}Key`]),
	h('input', {
		id: key, value: open.draft[key], autocomplete: 'off', 'aria-invalid': isFaulty(key), 'aria-describedby': `${key}-help`,
		...writing(value => put(key, value)), ...more,
	}),
	help(key));

/** A button that stays pressed. */
const chip = (word, isPressed, run) => button(word, run, { 'aria-pressed': `${isPressed}` });

/** The lines that call at the stop, as far as they are known. */
function lineChips(departures) {
	const chosen = listed(open.draft.lines), isLine = (written, [id, name]) => same(written, name) || same(written, id);
	const lines = [...new Map([...known.get(open.favourite.stop)?.lines ?? [], ...departures.map(({ lineID, line }) => ({ id: lineID, name: line }))]
		.map(({ id, name }) => [id, name]))];
	for (const written of listed(open.before.lines)) if (!lines.some(line => isLine(written, line))) lines.push([written, written]);
	lines.sort(([, one], [, other]) => one.localeCompare(other, undefined, { numeric: true }));
	return h('div.tools', { role: 'group', 'aria-label': words.linesKey }, lines.map(line => {
		const others = chosen.filter(written => !isLine(written, line)), isChosen = others.length < chosen.length;
		return chip(line[1], isChosen, () => {
			put('lines', (isChosen ? others : [...chosen, line[1]]).join(', '));
			byID('lines').value = open.draft.lines;
		});
	}));
}

/** The operator's directions, with where they lead; the destinations of departures without one. */
function directionChips(departures) {
	const chosen = open.draft.directions, all = new Map(chosen.map(direction => [direction, new Set()]));
	for (const departure of departures) {
		const destination = departure.plannedDestination ?? departure.destination, direction = directionOf(departure) || destination;
		if (!direction) continue;
		const known = [...all.keys()].find(other => same(other, direction)) ?? direction;
		all.set(known, (all.get(known) ?? new Set()).add(direction != destination && destination));
	}
	return all.size > 0 && h('fieldset', { id: 'directions', 'aria-describedby': 'directions-help' }, h('legend', words.directionsKey),
		h('div.tools', [...all].sort().map(([direction, destinations]) => {
			const others = chosen.filter(other => other != direction), isChosen = others.length < chosen.length;
			return chip([direction, [...destinations].filter(Boolean).slice(0, 2).join(', ')].filter(Boolean).join(' → '), isChosen,
				() => put('directions', isChosen ? others : [...chosen, direction]));
		})),
		help('directions'));
}

const orders = { time: 'byTime', line: 'byLine', destination: 'byDestination' };
const order = () => h('div', h('label', { for: 'sort' }, words.sort),
	h('select', { id: 'sort', ...writing(value => put('sort', value)) },
		Object.entries(orders).map(([value, word]) => h('option', { value, selected: value == open.draft.sort }, words[word]))));

function hoursRow(row, all, put) {
	const write = key => writing(value => {
		row[key] = value;
		put(all);
	});
	const remove = () => {
		put(all.filter(other => other != row));
		[...document.querySelectorAll('#when > button')].at(-1).focus();
	};
	return h('div.times', { 'data-key': `row ${row.id}` },
		h('select', { 'aria-label': words.days, ...write('day') },
			[...new Set([...days, row.day])].map(value => h('option', { value, selected: value == row.day }, daysOf(value)))),
		h('input', { type: 'time', 'aria-label': words.from, value: row.from, ...write('from') }),
		h('input', { type: 'time', 'aria-label': words.until, value: row.until, ...write('until') }),
		button('×', remove, { 'aria-label': words.removeHours }));
}

/** Rows of hours in a fieldset with the identifier `when`; `put` takes all rows after a change. */
export const hoursFields = (all, put, help) => [all.map(row => hoursRow(row, all, put)), help, button(words.addHours, () => {
	put([...all, hoursOf('daily')]);
	[...document.querySelectorAll('.times select')].at(-1).focus();
})];

/** The form of the favourite for which it is open. */
export function view({ stop }) {
	const departures = live.stops.find(other => other.stop == stop)?.departures ?? [];
	return h('form.form', { 'data-key': 'form', novalidate: true, onsubmit: action(save) },
		field('label', { maxlength: 60 }),
		field('lines'),
		lineChips(departures),
		directionChips(departures),
		order(),
		field('walk', { inputmode: 'decimal' }),
		h('fieldset.form', { id: 'when', 'aria-describedby': 'when-help' }, h('legend', words.whenKey), hoursFields(open.draft.when, all => put('when', all), help('when'))),
		field('platforms'),
		field('towards'),
		h('div.tools', h('button.primary', words.save), button(words.cancel, () => close(stop)), button(words.remove, () => remove(open), { class: 'danger' })));
}
