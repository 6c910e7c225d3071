// Elements: how they are made, changed in place, and kept true while time passes.

import { steady } from './time.js';

export const byID = id => document.getElementById(id);

/** An element: 'tag.class', properties (optional), and children: nodes and texts, never markup. */
export function h(tag, ...children) {
	const [name, ...classes] = tag.split('.');
	const element = document.createElement(name);
	if (classes.length) element.className = classes.join(' ');
	for (const [key, value] of Object.entries(children[0]?.constructor == Object ? children.shift() : {})) {
		if (value == null || value === false) continue;
		if (key.startsWith('on')) element[key] = value;
		else if (key == 'style') element.style.cssText = value;
		else element.setAttribute(key, value === true && !key.startsWith('aria') ? '' : value);
	}
	element.append(...children.flat(9).filter(isThere));
	return element;
}

/** A sign of one path, 24 by 24, for a word. */
export function sign(word, path) {
	const [svg, drawing] = ['svg', 'path'].map(name => document.createElementNS('http://www.w3.org/2000/svg', name));
	for (const [name, value] of [['viewBox', '0 0 24 24'], ['role', 'img'], ['aria-label', word]]) svg.setAttribute(name, value);
	drawing.setAttribute('d', path);
	svg.append(drawing);
	return svg;
}

const isThere = child => child != null && child !== false;

/** An element whose children follow from the time: `draw` makes them anew whenever `state` returns another text. */
export function timed(tag, properties, state, draw) {
	const element = h(tag, { 'data-timed': '', ...properties });
	element.timed = { state, draw };
	refresh(element);
	return element;
}

function refresh(element) {
	const { state, draw } = element.timed, now = state();
	if (now === element.state) return;
	const made = h('div', draw(now));
	if (element.hasChildNodes()) patchChildren(element, made);
	else element.append(...made.childNodes);
	element.state = now;
}

/** Draws again what the time has changed. */
export function tick() {
	if (steady() > silence) say('');
	for (const element of document.querySelectorAll('[data-timed]')) if (element.isConnected) refresh(element);
}

const properties = ['onclick', 'onsubmit', 'oninput', 'onchange', 'ontoggle', 'onkeydown', 'onpointerdown', 'timed', 'state'];

/** Changes `old` into `made`; elements that stay keep focus and input. */
export function patch(old, made) {
	// A person opens details.
	for (const { name } of [...old.attributes]) if (!/^(style|open)$/.test(name) && !made.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of made.attributes) {
		if (name != 'style' && old.getAttribute(name) != value) old.setAttribute(name, value);
	}
	if (old.style.cssText != made.style.cssText) old.style.cssText = made.style.cssText;
	for (const name of properties) old[name] = made[name];
	if (!made.hasAttribute('data-keep')) patchChildren(old, made);
}

function patchChildren(old, made) {
	const keyed = new Map([...old.children].map(child => [child.dataset.key, child]));
	let next = old.firstChild;
	for (const child of [...made.childNodes]) {
		const key = child.dataset?.key;
		const same = key ? keyed.get(key) : next;
		if (!same || same.nodeName != child.nodeName || same.dataset?.key != key) {
			old.insertBefore(child, next);
			continue;
		}
		// What is between is gone; nothing moves for that, as a move would take the focus.
		while (key && next && next != same && !next.dataset?.key) {
			next = next.nextSibling;
			(next?.previousSibling ?? old.lastChild).remove();
		}
		if (same == next) next = next.nextSibling;
		else old.insertBefore(same, next);
		if (child.nodeType == 1) patch(same, child);
		else if (same.data != child.data) same.data = child.data;
	}
	while (next) {
		next = next.nextSibling;
		(next?.previousSibling ?? old.lastChild).remove();
	}
}

/** A text of an operator or a person, of any direction. */
export const bdi = value => h('bdi', { dir: 'auto' }, value);
export const facts = all => h('p.facts', all.filter(Boolean).map(fact => h('span', { dir: 'auto' }, fact)));
export const title = (name, letter) => [bdi(name), letter && [' ', h('span.letter', bdi(letter))]];
export const hidden = word => h('span.hidden', word);
export const heading = (...children) => h('h1', { tabindex: -1 }, children);
export const card = (name, ...children) => h('section.card', h('h2', name), children);

/** When the message ends. */
let silence;

/** A message for 20 s, with a button that takes the last change back. */
export function say(message, canUndo) {
	silence = steady() + 20e3;
	byID('say').textContent = message;
	byID('undo').hidden = !canUndo;
}

/** A handler that shows its errors, and ignores taps meanwhile. */
export const action = run => async event => {
	event.preventDefault();
	const it = event.currentTarget;
	if (it.busy) return;
	it.busy = true;
	try {
		await run(event);
	} catch (error) {
		say(error.message);
	}
	it.busy = false;
};

export const button = (word, run, more) => h('button', { type: 'button', onclick: action(run), ...more }, word);
