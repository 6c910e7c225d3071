// The light of the display and a message on it, on the screen Board.

import { action, button, byID, h, say, timed } from './dom.js';
import { live, request, words } from './live.js';
import { duration } from './time.js';

/** In minutes; the API allows an hour. */
const durations = [1, 5, 15, 60];

async function show() {
	const field = byID('message');
	await request('POST', 'message', { text: field.value, seconds: Number(byID('seconds').value) }, { within: 3e3 });
	field.value = '';
	say(words.messageShown);
}

export const controls = () => h('div.form',
	h('div', h('p', { id: 'light' }, h('b', words.light)),
		timed('div.tools', { role: 'group', 'aria-labelledby': 'light' }, () => live.display.light, now => ['auto', 'on', 'off'].map(light =>
			button(words[light], () => request('POST', 'light', { light }, { within: 3e3 }), { 'aria-pressed': `${light == now}` })))),
	h('form.form', { onsubmit: action(show) },
		h('div', h('label', { for: 'message' }, words.message), h('input', { id: 'message', maxlength: 200, required: true, autocomplete: 'off' })),
		h('div', h('label', { for: 'seconds' }, words.seconds),
			h('select', { id: 'seconds' }, durations.map(minutes => h('option', { value: 60 * minutes }, duration(minutes, 'minute'))))),
		h('div', h('button', words.show))));
