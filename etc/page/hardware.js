// The steps of the set-up for the display and the button.

import { action, button, h, say } from './dom.js';
import { live, request, text, words } from './live.js';
import { render } from './page.js';
import { fault, held, locked, onward, put, replace, setup, state, table, tools } from './setup.js';

const sizes = ['16x2', '16x4', '20x2', '20x4', '40x2'];

export function sizeOf({ rows, dots }) {
	return dots.panel == 'characters' ? `${[...rows[0]].length}x${rows.length}` : null;
}

async function confirm() {
	const size = sizeOf(live.display);
	if (size && held('display').size != size) await put('display', { size });
	await onward('display');
}

const brightness = () => state.brightness && h('div', h('label', { for: 'brightness' }, words.brightness),
	h('input', { id: 'brightness', type: 'range', min: 1, max: 100, value: state.brightness, onchange: action(event => put('display', { brightness: Number(event.target.value) })) }));

export const displayStep = () => {
	const size = sizeOf(live.display), lock = locked('display');
	return [
		h('div.top', h('div', { id: 'display', role: 'img', 'data-keep': true }, h('canvas'))),
		lock || [
			h('p', { id: 'same' }, words.seesSame),
			setup.isOther && size && h('div', h('p', { id: 'sizes' }, words.sizes),
				h('div.tools', { role: 'group', 'aria-labelledby': 'sizes' }, sizes.map(other =>
					button(other.replace('x', ' × '), () => put('display', { size: other }).then(render), { 'aria-pressed': `${other == size}` })))),
			setup.isOther && h('p.soft', words.seesNothing),
			h('div.tools', { role: 'group', 'aria-labelledby': 'same' },
				button(words.yes, confirm, { class: 'primary' }),
				button(words.no, () => {
					setup.isOther = true;
					render();
				}, { 'aria-pressed': `${!!setup.isOther}` })),
			brightness(),
		],
		lock ? tools('display', button(words.onward, () => onward('display'), { class: 'primary' })) : tools('display'),
	];
};

// The button: the line at which a press is seen.

/** How many times the step was opened, and what ends the wait of the newest. */
let opened = 0, waiting;

/** The wiring that a button has at another line is not that of the found one. */
async function use(line) {
	const tables = table('button')?.values ?? [], [first, ...others] = tables;
	if (tables.some(one => (one.line ?? 17) == line)) return;
	await replace('button', [{ ...first, line, pull: undefined, chip: undefined }, ...others]);
}

/** Meanwhile the button does nothing else: two minutes are enough for who stands before the board. */
const tries = 15;

/** Waits for a press, where the step is open. */
export async function awaitPress() {
	waiting?.abort();
	const own = ++opened, { signal } = waiting = new AbortController();
	const isOpen = () => own == opened && location.pathname == '/setup' && setup.step == 'button';
	if (locked('button')) return;
	try {
		for (let count = 0; count < tries && isOpen(); count++) {
			const { line } = await request('POST', 'setup/button', null, { signal });
			if (!isOpen() || line == null) continue;
			await use(line);
			await onward('button');
			return say(text('pressFound', line));
		}
	} catch (error) {
		if (isOpen()) setup.fault = error.message;
	}
	if (!isOpen()) return;
	setup.isOver = true;
	render();
}

function waitAgain() {
	setup.isOver = setup.fault = null;
	render();
	return awaitPress();
}

export const buttonStep = () => [
	locked('button') || [
		setup.isOver ? button(words.tryAgain, waitAgain, { class: 'primary' }) : h('p', { role: 'status' }, words.pressNow),
		fault(), h('p.soft', words.pressMissing),
	],
	locked('button') ? tools('button', button(words.onward, () => onward('button'), { class: 'primary' })) : tools('button'),
];
