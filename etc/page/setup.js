// The screen Set-up: an owner's steps from a fresh board to its departures, and the settings afterwards.

import { readInfo, shareCard } from './about.js';
import { backupCard } from './backup.js';
import { board, nameOf } from './board.js';
import { action, button, byID, card, facts, h, heading, say } from './dom.js';
import { daysOf, hoursFields, hoursOf } from './form.js';
import { awaitPress, buttonStep, displayStep, sizeOf } from './hardware.js';
import { change, info, live, request, text, words } from './live.js';
import { written } from './map.js';
import { go, guide, render } from './page.js';
import { forget, isLoading, keyField, placeStep, progress } from './place.js';
import { stop } from './stop.js';
import { after } from './time.js';

/** The steps of the board, and their titles. */
const titles = { name: 'nameStep', place: 'placeStep', stop: 'stopStep', display: 'displayStep', button: 'buttonStep', quiet: 'quietStep' };
/** A board that no button can be connected to has no step for it. */
const steps = () => state.steps.map(({ id }) => id);
const languages = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español' };

/** The newest SetupState; null for a device that is no owner. */
export let state = null;
/** The feeds of the favourites, with their titles. */
let used = [];
/** Whether one step leads to the next, or back to the settings. */
let isWalk = false;

const address = step => `/setup?id=${step}`;
const number = step => text('stepOf', steps().indexOf(step) + 1, steps().length);
export const table = name => state.tables.find(table => table.name == name);
/** The values of the only table with a name. */
export const held = name => table(name)?.values[0] ?? {};
export const feeds = () => state.tables.filter(({ name }) => name.startsWith('feed.'));
export const titleOf = table => used.find(({ name }) => table == `feed.${name}`)?.title ?? table.replace(/^feed\.(gtfs\.)?/, '');
export const isKeySet = key => state.keys.some(({ name, isSet }) => name == key && isSet);
const isDone = ({ id, isDone, lockedBy }) => isDone || lockedBy || id == 'place' && feeds().length > 0;
const missing = () => state.steps.find(step => !/button|quiet/.test(step.id) && !isDone(step))?.id;

/** Writes keys of a table; what another phone has set meanwhile stays. */
export async function put(name, values) {
	state = await request('GET', 'setup');
	await replace(name, [{ ...held(name), ...values }]);
}

export async function replace(name, tables) {
	state = await request('PUT', `settings/${name}`, { tables });
}

export async function remove(name) {
	state = await request('DELETE', `settings/${name}`);
	render();
}

/** The board never sends it back. */
export async function setKey(name, value) {
	state = await request(value ? 'PUT' : 'DELETE', `keys/${name}`, value && { value });
}

/** Replaces the settings and the stops. */
export async function restore(backup) {
	state = await request('PUT', 'backup', backup);
	await readInfo();
	render();
}

// From step to step.

/** `near`: the place of the step before, if it is known. */
export async function onward(step, near) {
	const next = steps()[steps().indexOf(step) + 1];
	if (isWalk && next == 'stop') return toStop(near);
	return go(isWalk ? address(next ?? 'done') : '/setup');
}

function backward(step) {
	const last = steps()[steps().indexOf(step) - 1];
	if (isWalk && last == 'stop') return toStop();
	return go(!isWalk ? '/setup' : last ? address(last) : '/');
}

export const tools = (step, ...first) => h('div.tools', first, button(words.back, () => backward(step)), isWalk && button(words.later, () => onward(step)));

/** A handler of a form that keeps an error about a value, which `fault` shows. */
export const checked = save => action(async event => {
	setup.fault = null;
	try {
		await save(event.target.elements);
	} catch (error) {
		if (!error.value) throw error;
		setup.fault = error.message;
		render();
	}
});

/** A form whose button saves a step and goes on; an error about a value is beside it. */
const form = (step, save, ...fields) => h('form.form', {
	onsubmit: checked(async elements => {
		await save(elements);
		await onward(step);
	}),
}, fields, fault(), tools(step, h('button.primary', isWalk ? words.onward : words.save)));

export const fault = () => setup.fault && h('p.error', { role: 'alert' }, setup.fault);

export const field = (id, word, value, help, more) => h('div', h('label', { for: id }, word),
	h('input', { id, value, autocomplete: 'off', required: true, 'aria-describedby': help && `${id}-help`, ...more }),
	help && h('p.soft', { id: `${id}-help` }, help));

/** What a file of the administrator sets: without controls. */
export const locked = name => table(name)?.lockedBy && h('div.form', h('p.notice', text('lockedBy', table(name).lockedBy)),
	h('dl', table(name).values.flatMap(Object.entries).map(([key, value]) => [h('dt', key), h('dd', { dir: 'auto' }, `${value}`)])));

// The name and the language.

const language = () => setup.language ?? held('language').code
	?? navigator.languages.map(code => code.slice(0, 2)).find(code => languages[code]) ?? info.language;

async function saveName({ name }) {
	const code = language();
	if (name) await put('board', { name: name.value.trim() });
	if (!table('language')?.lockedBy) await put('language', { code });
}

const nameStep = () => form('name', saveName,
	locked('board') || field('name', words.boardName, held('board').name ?? live.name, null, { maxlength: 40 }),
	locked('language') || h('fieldset', h('legend', words.language), h('div.tools', Object.entries(languages).map(([code, word]) =>
		button(h('span', { lang: code }, word), () => {
			setup.language = code;
			render();
		}, { 'aria-pressed': `${code == language()}` })))));

// The stop: on the screens Find and Stop, with what to do above them.

function toStop(near) {
	guide(leading);
	return go(near ? `/find?near=${written(near)}` : '/find');
}

/** The stop whose screen is open. */
const shown = () => location.pathname == '/stop' && new URLSearchParams(location.search).get('id');
const favourite = id => live.favourites.find(({ stop }) => stop == id);

async function take(id) {
	await change('POST', 'favourites', { stop: id });
	// It comes as an event.
	for (let count = 0; count < 100 && !favourite(id); count++) await new Promise(done => after(done, 50));
	if (shown() == id && favourite(id)) await stop.edit(favourite(id));
}

const leading = {
	view() {
		if (!/^\/(find|stop|line)$/.test(location.pathname)) return guide(null);
		const id = shown(), isTaken = !!favourite(id);
		return h('section.card', { 'data-key': 'lead', 'aria-label': words.setUp },
			h('p', h('b', number('stop')), ' · ', !id ? words.stopHelp : isTaken ? words.formHelp : words.isIt),
			progress(),
			h('div.tools',
				id && !isTaken && button(words.takeIt, () => take(id), { class: 'primary' }),
				button(words.back, () => id ? history.back() : go(address('place'))),
				(isTaken || !id) && button(live.favourites.length ? words.onward : words.later, () => go(address('display')))));
	},
	/** Whether an error ends when the list of stops is there. */
	awaits: ({ kind }) => kind == 'no-directory' && isLoading(),
	saved: () => { if (isWalk && shown()) go(address('display')); },
};

const stopStep = () => [h('p', words.stopHelp), progress(), tools('stop', button(words.findStop, toStop, { class: 'primary' }))];

// When the display is dark.

/** A person sees what is proposed. */
const night = [{ from: '23:00', to: '06:00' }];
const quietOf = ({ from, to, days = 'daily' }) => hoursOf(`${days} ${from}-${to}`);

async function saveQuiet() {
	const tables = setup.hours.filter(({ from, until }) => from && until).map(({ from, until, day }) => ({ from, to: until, days: day }));
	state = tables.length ? await request('PUT', 'settings/quiet', { tables }) : await request('DELETE', 'settings/quiet');
}

function quietStep() {
	if (table('quiet')?.lockedBy) return [locked('quiet'), tools('quiet', button(words.onward, () => onward('quiet'), { class: 'primary' }))];
	setup.hours ??= (table('quiet')?.values ?? night).map(quietOf);
	const take = hours => {
		setup.hours = hours;
		render();
	};
	return form('quiet', saveQuiet, h('fieldset.form', { id: 'when', 'aria-describedby': 'quiet-help' }, h('legend.hidden', words.quietStep),
		hoursFields(setup.hours, take, h('p.soft', { id: 'quiet-help' }, words.quietHelp))));
}

const views = { name: nameStep, place: placeStep, stop: stopStep, display: displayStep, button: buttonStep, quiet: quietStep };

// The end, and the settings.

const done = () => [heading(words.finished), h('p', words.pressHelp), shareCard(), h('div.tools', h('a.button.primary', { href: '/' }, words.toBoard), h('a.button', { href: '/setup' }, words.settings))];

const values = {
	name: () => [live.name, languages[info.language]],
	place: () => [...new Set([...feeds().map(({ name }) => titleOf(name)), ...used.map(({ title }) => title)])],
	stop: () => live.favourites.map(nameOf),
	display: () => [sizeOf(live.display)?.replace('x', ' × ')],
	button: () => [held('button').line != null && `GPIO ${held('button').line}`],
	quiet: () => (table('quiet')?.values ?? []).map(({ from, to, days }) => [days && daysOf(days), `${from} – ${to}`].filter(Boolean).join(' ')),
};

const setting = step => h('li', { 'data-key': step.id },
	h('a', { href: step.id == 'stop' ? '/favourites' : address(step.id) }, h('strong', words[titles[step.id]]), facts([...values[step.id](), !isDone(step) && words.notSet])));

const key = ({ name, title, isSet }) => h('form.form', {
	'data-key': name,
	onsubmit: action(async () => {
		await setKey(name, byID(name).value.trim());
		byID(name).value = '';
		say(words.isSet);
		render();
	}),
},
	keyField(name, `${title} (${name})`),
	h('div.tools', h('button', words.save), isSet && [h('span.soft', `✓ ${words.isSet}`), button(words.remove, async () => {
		await setKey(name);
		render();
	}, { class: 'danger', 'aria-label': text('removeOf', name) })]));

function streets() {
	const isOn = held('map').tiles == 'openstreetmap';
	return card(words.map, locked('map') || [h('p', text('streetsAsk', 'openstreetmap.org')), h('div', button(words.streets, async () => {
		await put('map', { tiles: isOn ? '' : 'openstreetmap' });
		await readInfo();
		render();
	}, { 'aria-pressed': `${isOn}` }))]);
}

/** Those of the feeds that the board uses. */
const keys = () => state.keys.filter(({ feed, isSet }) => isSet || used.some(({ name }) => name == feed) || feeds().some(({ name }) => name == `feed.${feed}`));

const settings = () => [
	heading(words.settings),
	missing() && h('div', button(text('goOn', words[titles[missing()]]), () => {
		isWalk = true;
		return missing() == 'stop' ? toStop() : go(address(missing()));
	}, { class: 'primary' })),
	h('section.card', h('ul.rows', state.steps.map(setting))),
	streets(),
	backupCard(),
	keys().length > 0 && h('details.card', h('summary', words.keys), keys().map(key)),
];

export const setup = {
	screen: 'about',
	title: words.setUp,
	async enter(query) {
		Object.assign(this, { step: query.get('id'), language: null, hours: null, isOther: false, isOver: false, fault: null });
		forget();
		if (self != top) return readInfo().then(render);
		await readInfo();
		render();
		try {
			state = await request('GET', 'setup', null, { pairs: true });
			used = (await request('GET', 'state')).feeds;
			await readInfo();
		} catch (error) {
			state = null;
			this.fault = error.message;
			return render();
		}
		if (!live.favourites.length) isWalk = true;
		else if (!this.step) isWalk = false;
		if (isWalk) this.step ??= missing() ?? 'done';
		if (this.step == 'done') await request('DELETE', 'setup').then(readInfo);
		render();
		byID('place')?.focus();
		awaitPress();
	},
	view() {
		const { step } = this;
		if (!words.greeting) return [heading(words.setUp), h('p', words.loading)];
		if (self != top) return [heading(words.settings), h('a.button.primary', { href: `${location.origin}/setup`, target: '_top' }, words.framed)];
		if (!state) return [
			heading(words.setUp), this.fault ? h('p.notice.warn', { role: 'alert' }, this.fault) : h('p', words.greeting),
			this.fault != null && h('div', button(words.tryAgain, () => this.enter(new URLSearchParams(location.search)), { class: 'primary' })),
		];
		if (step == 'done') return done();
		if (!views[step]) return settings();
		return h('div.form', { 'data-key': step },
			isWalk && step == steps()[0] && h('p', words.greeting),
			heading(words[titles[step]]),
			isWalk && h('p.soft', number(step)),
			views[step]());
	},
	drawn: () => byID('display') && board.drawn(),
	/** The display alone: what is typed stays in any case. */
	redraw(kind) {
		if (kind == 'display' && byID('display')) board.redraw(kind);
		return /^(display|pages|stop|departures)$/.test(kind);
	},
};
