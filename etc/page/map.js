// The map of stops: a picture of the daemon that moves under fingers, a mouse and keys.

import { button, byID, h, say } from './dom.js';
import { info, live, load, request, words } from './live.js';
import { go, render } from './page.js';

/** In metres. */
export const degree = 111320;
export const width = ([latitude]) => degree * Math.cos(latitude * Math.PI / 180);
export const written = near => near.map(degrees => degrees.toFixed(5)).join();

/** Metres per pixel. */
export const scales = [0.5, 1, 2, 5, 10, 20];
/** A map of a screen. `more`: further parameters of its picture; `moved`: shows another place at a scale. */
export const newMap = moved => ({ near: null, scale: 2, more: {}, moved });
/** That of the screen. */
let map = newMap();
export const use = one => { map = one; };

function zoom(by) {
	const scale = scales[scales.indexOf(map.scale) + by];
	if (scale) map.moved(map.near, scale);
}

/** The place that is x, y pixels from the centre. */
export const at = (x, y) => [
	Math.min(84.9, Math.max(-84.9, map.near[0] - y * map.scale / degree)),
	(map.near[1] + x * map.scale / width(map.near) + 540) % 360 - 180,
];

function keyed(event) {
	const { clientWidth, clientHeight } = event.currentTarget;
	const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
	const by = { '+': -1, '=': -1, '-': 1 }[event.key];
	if (step) map.moved(at(step[0] * clientWidth / 4, step[1] * clientHeight / 4), map.scale);
	else if (by) zoom(by);
	else return;
	event.currentTarget.focus();
	event.preventDefault();
}

/** In pixels, from the middle of a stop: as far as a tap is on it. */
const reach = 12;

/** The address of the stop that is nearest to a place in the window; nothing if none is within reach. */
function stopAt(box, x, y) {
	let nearest = reach, address;
	for (const link of box.querySelectorAll('a[href^="/stop"]')) {
		const { left, top, width, height } = link.querySelector('circle, rect, path').getBoundingClientRect();
		const distance = Math.hypot(left + width / 2 - x, top + height / 2 - y);
		if (distance <= nearest) [nearest, address] = [distance, link.getAttribute('href')];
	}
	return address;
}

/** Moves the picture with one finger, scales it with two. A tap beside a stop is on it, another "near here". */
function grabbed(event) {
	const box = event.currentTarget;
	const fingers = box.fingers ??= new Map();
	const begin = [event.clientX, event.clientY];
	fingers.set(event.pointerId, begin);
	if (fingers.size > 1) return;
	let x = 0, y = 0, factor = 1, apart;
	const ended = new AbortController();
	const on = (kind, run) => addEventListener(kind, run, ended);
	on('pointermove', event => {
		if (!fingers.has(event.pointerId)) return;
		fingers.set(event.pointerId, [event.clientX, event.clientY]);
		const [one, other] = [...fingers.values()];
		if (other) {
			const distance = Math.hypot(one[0] - other[0], one[1] - other[1]);
			apart ??= distance || 1;
			factor = distance / apart;
		} else if (!apart) {
			[x, y] = [one[0] - begin[0], one[1] - begin[1]];
		}
		if (box.firstChild) box.firstChild.style.transform = `translate(${x}px, ${y}px) scale(${factor})`;
	});
	const released = event => {
		fingers.delete(event.pointerId);
		if (fingers.size) return;
		ended.abort();
		const isTap = factor == 1 && Math.hypot(x, y) < 8;
		// A drag that ends on a link is no tap on it.
		box.isDragged = !isTap;
		if (isTap && (event.type != 'pointerup' || event.target.closest('a'))) return;
		const stop = isTap && stopAt(box, ...begin);
		if (stop) return go(stop);
		const { left, top, width, height } = box.getBoundingClientRect();
		const near = isTap ? at(begin[0] - left - width / 2, begin[1] - top - height / 2) : at(-x, -y);
		const off = scale => Math.abs(Math.log(scale * factor / map.scale));
		box.shown = null;
		map.moved(near, scales.reduce((one, other) => off(other) < off(one) ? other : one));
	};
	on('pointerup', released);
	on('pointercancel', released);
}

/** The streets under it, of the server in [page] of boardd.toml. Loaded only where one is configured. */
let tiles;

export const mapView = () => map.near && [
	tiles?.question(render),
	h('div.chart', { 'data-key': 'chart' },
		h('div.zoom', button('+', () => zoom(-1), { 'aria-label': words.zoomIn }), button('−', () => zoom(1), { 'aria-label': words.zoomOut })),
		h('div', { id: 'map', 'data-keep': true, tabindex: 0, role: 'group', 'aria-label': words.mapKeys, onpointerdown: grabbed, onclick: event => { event.detail && event.currentTarget.isDragged && event.preventDefault(); }, onkeydown: keyed, ondragstart: () => false })),
	tiles?.choice(render),
];

const drawn = /^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|title|desc|a)$/;

/** A drawing of the daemon without what could run or load. */
function drawing(svg) {
	const root = new DOMParser().parseFromString(svg, 'image/svg+xml').documentElement;
	if (root.nodeName != 'svg') return '';
	for (const element of [root, ...root.querySelectorAll('*')]) {
		if (!drawn.test(element.nodeName)) element.remove();
		for (const { name, value } of [...element.attributes]) {
			if (/^(on|style$)/.test(name) || /href$/.test(name) && !/^\/\w/.test(value)) element.removeAttribute(name);
		}
	}
	return document.importNode(root, true);
}

/** Requests the picture of the map if it is another. */
export async function drawMap() {
	const box = byID('map');
	if (!box?.clientWidth) return;
	const { near, scale, more } = map;
	try {
		if (info.tiles && !tiles) {
			tiles = await load('tiles');
			return render();
		}
		const size = [box.clientWidth, box.clientHeight].map(length => Math.min(1024, length)).join('x');
		const query = `${new URLSearchParams({ near: written(near), scale, size, ...more })}`;
		const shown = [query, tiles?.isShown(), ...live.favourites.map(({ stop }) => stop)].join(' ');
		if (box.shown == shown) return;
		box.shown = shown;
		const picture = drawing(await request('GET', `map.svg?${query}`));
		if (tiles?.isShown()) tiles.draw(picture, near, scale);
		if (box.shown != shown) return;
		const focused = box.contains(document.activeElement) && document.activeElement.getAttribute('href');
		box.replaceChildren(picture);
		if (focused) box.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
	} catch (error) {
		// The list has the sentence.
		if (more.line || error.kind != 'no-directory') say(error.message);
	}
}
