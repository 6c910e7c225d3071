// The screen Favourites: their order and their keys.

import { nameOf } from './board.js';
import { action, bdi, button, byID, facts, h, heading, say } from './dom.js';
import { change, favouritePath, live, mayEdit, text, undo, words } from './live.js';
import { render } from './page.js';

const listed = written => written.split(',').map(part => part.trim()).filter(Boolean);
const minutes = walk => walk && `${parseFloat(walk) * { s: 1 / 60, h: 60 }[walk.at(-1)] || parseFloat(walk)}`;
/** What the field of a key shows. */
const written = (favourite, key) => (key == 'walk' ? minutes(favourite.walk) : favourite[key]?.join?.(', ') ?? favourite[key]) ?? '';

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

const week = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const days = ['daily', 'weekdays', 'weekend', ...week];
const named = day => words[day] ?? day.split(',').map(day => words.dayNames.split(' ')[week.indexOf(day)] ?? day).join(', ');
const hoursOf = row => {
	const [day, from, to] = [...row.children].map(field => field.value);
	return from || to ? `${day} ${from}-${to}` : day;
};
const allHours = () => [...document.querySelectorAll('.times')].map(hoursOf);

function setHours(hours, focus) {
	favourites.when = hours;
	render();
	[...document.querySelectorAll(focus)].at(-1).focus();
}

function hoursRow(written, index) {
	const [, day = 'daily', from, to] = written.match(/^([a-z,]+)?\s*(?:(\S*)-(\S*))?$/) ?? [];
	return h('div.times', { 'data-key': `${index} ${written}` },
		h('select', { 'aria-label': words.days }, [...new Set([...days, day])].map(value => h('option', { value, selected: value == day }, named(value)))),
		h('input', { type: 'time', 'aria-label': words.from, value: from }),
		h('input', { type: 'time', 'aria-label': words.until, value: to }),
		button('×', () => setHours(allHours().filter((_, other) => other != index), '#when > button'), { 'aria-label': words.removeHours }));
}

function field(favourite, key, more) {
	const fault = favourites.fault?.key == key && favourites.fault.message;
	return h('div', h('label', { for: key }, words[`${key}Key`]),
		h('input', { id: key, value: written(favourite, key), autocomplete: 'off', 'aria-invalid': !!fault, 'aria-describedby': `${key}-help`, ...more }),
		h('p', { id: `${key}-help`, class: fault ? 'error' : 'soft' }, fault || words[`${key}Help`]));
}

async function save(favourite) {
	const { before } = favourites;
	// What is as before stays as another device may have changed it.
	const body = `${allHours()}` == `${before.when ?? []}` ? {} : { when: allHours() };
	for (const key of ['label', 'lines', 'walk', 'platforms', 'towards']) {
		const value = byID(key).value.trim();
		if (value != written(before, key)) body[key] = /s$/.test(key) ? listed(value) : value && key == 'walk' ? `${value}m` : value;
	}
	const changed = Object.keys(body);
	try {
		if (changed[0]) await change('PATCH', favouritePath(favourite.stop), body);
	} catch (error) {
		const key = error.value?.key;
		if (!changed.includes(key)) throw error;
		favourites.fault = { key, message: error.message };
		render();
		(byID(key).querySelector('select') ?? byID(key)).focus();
		return;
	}
	show(favourite, false);
	say(text('saved', nameOf(favourite)), changed[0]);
}

function show(favourite, isOpen) {
	say('');
	Object.assign(favourites, { before: favourite, opened: isOpen ? favourite.stop : null, when: favourite.when ?? [], fault: null });
	render();
	(isOpen ? byID('label') : document.querySelector(`[data-edit="${CSS.escape(favourite.stop)}"]`))?.focus();
}

async function remove(favourite) {
	await change('DELETE', favouritePath(favourite.stop));
	say(text('removed', nameOf(favourite)), true);
	document.querySelector('h1').focus();
}

function form(favourite) {
	const departures = live.stops.find(stop => stop.stop == favourite.stop)?.departures ?? [];
	const lines = new Map(departures.map(({ lineID, line }) => [lineID, line]));
	for (const line of favourite.lines ?? []) if (![...lines.values()].includes(line) && !lines.has(line)) lines.set(line, line);
	const fault = favourites.fault?.key == 'when' && favourites.fault.message;
	const choose = (id, line) => {
		const chosen = listed(byID('lines').value), others = chosen.filter(other => other != line && other != id);
		byID('lines').value = (others.length < chosen.length ? others : [...chosen, line]).join(', ');
	};
	return h('form.form', { novalidate: true, onsubmit: action(() => save(favourite)) },
		field(favourite, 'label', { maxlength: 60 }),
		field(favourite, 'lines'),
		h('div.tools', { role: 'group', 'aria-label': words.linesKey }, [...lines].map(([id, line]) => button(line, () => choose(id, line)))),
		field(favourite, 'walk', { type: 'number', min: 1, max: 120, inputmode: 'numeric' }),
		h('fieldset.form', { id: 'when' }, h('legend', words.whenKey), favourites.when.map(hoursRow),
			h('p', { class: fault ? 'error' : 'soft' }, fault || words.whenHelp),
			button(words.addHours, () => setHours([...allHours(), 'daily'], '.times select'))),
		field(favourite, 'platforms'),
		field(favourite, 'towards'),
		h('div.tools', h('button.primary', words.save), button(words.cancel, () => show(favourite, false)),
			button(words.remove, () => remove(favourite), { class: 'danger' })));
}

function item(favourite, index, all) {
	const word = nameOf(favourite), isOpen = favourites.opened == favourite.stop, label = { 'aria-label': text('moveToOf', word) };
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
				favourite.label && nameOf({ ...favourite, label: null }), favourite.lines?.join(', '), favourite.walk && text('walkOf', `${minutes(favourite.walk)} ${words.minutes}`),
				favourite.when?.map(hours => hours.replace(/^[a-z,]+/, named)).join(', '),
				favourite.towards[0] && text('towardsOf', favourite.towards.join(', ')),
				favourite.platforms?.length > 0 && text('platform', favourite.platforms.join(', ')),
			]))),
		favourites.changes?.of(favourite.stop, word),
		mayEdit && h('div.tools',
			all.length > 1 && [
				arrow('↑', 'moveUp', index), arrow('↓', 'moveDown', index + 2),
				h('select', label,
					h('option', { value: '' }, words.moveTo), all.map((_, other) => other != index && h('option', other + 1))),
				button('✓', chosen, label),
			],
			button(words.edit, () => show(favourite, !isOpen), { 'data-edit': favourite.stop, 'aria-expanded': `${isOpen}`, 'aria-label': text('editOf', word) })),
		isOpen && form(favourite));
}

export const favourites = {
	screen: 'favourites',
	title: words.favourites,
	when: [],
	async enter() {
		if (!live.changes) return;
		this.changes ??= await import('./changes.js');
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
