// The screens Find and Line: search by name, code or place, and the map.

import { nameOf, stopAddress } from './board.js';
import { action, bdi, button, byID, card, facts, h, heading, say, title } from './dom.js';
import { info, isPaired, live, mayEdit, pair, request, stopPath, text, words } from './live.js';
import { go, known, render, star } from './page.js';

/** In metres. */
const degree = 111320;
const width = ([latitude]) => degree * Math.cos(latitude * Math.PI / 180);
const written = near => near.map(degrees => degrees.toFixed(5)).join();

const degrees = '([-+]?\\d{1,3}(?:\\.\\d+)?)';
const places = [
	`mlat=${degrees}&mlon=${degrees}`,
	`#map=[\\d.]+/${degrees}/${degrees}`,
	`!3d${degrees}!4d${degrees}`,
	`[?&](?:ll|q|query|center|coordinate|daddr|destination)=(?:loc:)?${degrees},${degrees}`,
	`[@/]${degrees},\\+?${degrees}`,
	`^(?:geo:)?${degrees}\\s*[,;\\s]\\s*${degrees}(?=\\s*$|[,;?])`,
].map(pattern => new RegExp(pattern));

/** The coordinates in a text, or in a link of a map. */
export function place(typed) {
	const link = typed.replace(/%2C/gi, ',').replace(/%3A/gi, ':');
	for (const pattern of places) {
		const near = link.match(pattern)?.slice(1).map(Number);
		if (near && Math.abs(near[0]) < 85 && Math.abs(near[1]) <= 180) return near;
	}
}

/** Metres per pixel. */
const scales = [0.5, 1, 2, 5, 10, 20];
/** `more`: further parameters of its picture. */
const map = { near: null, scale: 2, more: {} };

function zoom(by) {
	const scale = scales[scales.indexOf(map.scale) + by];
	if (scale) map.moved(map.near, scale);
}

/** The place that is x, y pixels from the centre. */
const at = (x, y) => [
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

/** Moves the picture with one finger, scales it with two. A tap is "near here". */
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
		const { left, top, width, height } = box.getBoundingClientRect();
		const near = isTap ? at(begin[0] - left - width / 2, begin[1] - top - height / 2) : at(-x, -y);
		const off = scale => Math.abs(Math.log(scale * factor / map.scale));
		box.shown = null;
		map.moved(near, scales.reduce((one, other) => off(other) < off(one) ? other : one));
	};
	on('pointerup', released);
	on('pointercancel', released);
}

const mapView = () => map.near && h('div.chart',
	h('div', { id: 'map', 'data-keep': true, tabindex: 0, role: 'group', 'aria-label': words.mapKeys, onpointerdown: grabbed, onclick: event => { event.detail && event.currentTarget.isDragged && event.preventDefault(); }, onkeydown: keyed, ondragstart: () => false }),
	h('div.zoom', button('+', () => zoom(-1), { 'aria-label': words.zoomIn }), button('−', () => zoom(1), { 'aria-label': words.zoomOut })));

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
async function drawMap() {
	const box = byID('map');
	if (!box?.clientWidth) return;
	const size = [box.clientWidth, box.clientHeight].map(length => Math.min(1024, length)).join('x');
	const { near, scale, more } = map;
	const query = `${new URLSearchParams({ near: written(near), scale, size, ...more })}`;
	if (box.shown == query) return;
	box.shown = query;
	try {
		const picture = drawing(await request('GET', `map.svg?${query}`));
		if (info.tiles) (await import('./tiles.js')).draw(picture, near, scale);
		if (box.shown == query) box.replaceChildren(picture);
	} catch (error) {
		// The list has the sentence.
		if (more.line || error.kind != 'no-directory') say(error.message);
	}
}

/** A response, or the sentence of an error. */
const attempt = path => request('GET', path).then(found => ({ found }), ({ message: fault }) => ({ fault }));
const waiting = ({ fault }) => h('p', { class: fault && 'notice warn', role: fault && 'alert' }, fault ?? words.loading);

const limit = 40;

const item = stop => h('li', { 'data-key': stop.stop },
	h('a', { href: stopAddress(stop.stop) }, h('strong', title(stop.name, stop.letter)), facts([
		stop.distanceMetres != null && `${Math.round(stop.distanceMetres)} m`,
		stop.towards && text('towardsOf', stop.towards),
		stop.lines.slice(0, 12).map(line => line.name).join(', '),
	])),
	star(stop.stop, nameOf(stop)));

export const find = {
	screen: 'find',
	title: words.find,
	async enter(query) {
		map.more = query.has('stop') ? { stop: query.get('stop') } : {};
		map.near = this.stops = this.asked = null;
		map.moved = (near, scale) => {
			if (!byID('query')) return;
			map.more = {};
			history.replaceState(null, '', `/find?near=${written(near)}&scale=${scale}`);
			return this.show(near, scale);
		};
		this.query = query.get('query');
		if (byID('query')) byID('query').value = this.query;
		if (this.query) return this.list({ query: this.query, limit });
		const scale = Number(query.get('scale')), { href } = location;
		const near = query.has('near') ? place(query.get('near')) : await this.position(map.more.stop);
		if (near && href == location.href) await this.show(near, scales.includes(scale) ? scale : 2);
	},
	/** Where a stop is; without a stop, where the first favourite is. */
	async position(stop) {
		const all = [...live.favourites, ...known.values()].filter(one => one.latitude != null);
		const one = stop ? all.find(one => one.stop == stop) ?? (await request('GET', stopPath(stop))).stop : all[0];
		if (stop && one.latitude == null) throw new Error(words.noPosition);
		return one && [one.latitude, one.longitude];
	},
	async show(near, scale) {
		this.query = null;
		Object.assign(map, { near, scale });
		render();
		const { clientWidth, clientHeight } = byID('map'), x = clientWidth / 2, y = clientHeight / 2;
		await this.list({ near: written(near), box: [at(-x, y), at(x, -y)].map(written).join() });
	},
	async list(query) {
		this.asked = query;
		this.fault = null;
		render();
		const { found, fault } = await attempt(`stops?${new URLSearchParams(query)}`);
		if (query != this.asked) return;
		const { stops = found, total } = found ?? {};
		// The map has at most 150.
		Object.assign(this, { stops, fault, isPart: total > 150 || found?.length == limit });
		for (const stop of stops ?? []) known.set(stop.stop, stop);
		render();
		if (stops && query.query) say(stops.length ? text('found', stops.length) : text('notFound', query.query));
	},
	submit(event) {
		const field = event.target.elements.query, typed = field.value.trim();
		if (!typed) return field.focus();
		const near = place(typed);
		if (!near && /^https?:/.test(typed)) throw new Error(words.noCoordinates);
		go(near ? `/find?near=${written(near)}` : `/find?query=${encodeURIComponent(typed)}`);
	},
	first() { return this.query || map.more.stop ? null : byID('query'); },
	view() {
		const { stops, query } = this;
		const here = () => new Promise((done, failed) => navigator.geolocation.getCurrentPosition(
			({ coords }) => done(map.moved([coords.latitude, coords.longitude], 1)), () => failed(new Error(words.noLocation))));
		const favourites = live.favourites.filter(({ latitude }) => latitude != null);
		return [
			heading(words.find),
			h('form.form', { role: 'search', onsubmit: action(event => this.submit(event)) },
				h('label', { for: 'query' }, words.findLabel),
				h('div.bar',
					h('input', { id: 'query', type: 'search', enterkeyhint: 'search', autocomplete: 'off', value: query, 'aria-describedby': 'help' }),
					h('button.primary', words.search)),
				h('p.soft', { id: 'help' }, words.findHelp)),
			mapView(),
			map.near && h('p.soft', words.mapHelp),
			stops && card(query ? text('found', stops.length) : words.stopsNearest,
				stops.length ? h('ul.rows', stops.map(item)) : h('p', query ? text('notFound', query) : words.noStopsHere),
				this.isPart && h('p.soft', words.more)),
			!stops && this.asked && waiting(this),
			(isSecureContext || favourites.length > 0) && card(words.near, h('div.tools',
				isSecureContext && button(words.nearMe, here),
				favourites.map(favourite => h('a.button', { href: `/find?near=${written([favourite.latitude, favourite.longitude])}` },
					bdi(nameOf(favourite)))))),
		];
	},
	drawn: drawMap,
};

export const line = {
	screen: 'find',
	async enter(query) {
		const id = query.get('id') || '-';
		Object.assign(this, { id, title: id.split(':')[1] });
		this.fault = this.route = map.near = null;
		map.more = { line: id };
		map.moved = (near, scale) => {
			Object.assign(map, { near, scale });
			render();
		};
		await this.load();
	},
	async load() {
		const { id } = this;
		const { found: route, fault } = await attempt(`lines/${encodeURIComponent(id)}`);
		if (map.more.line != id) return;
		this.fault = fault;
		if (!route) return render();
		Object.assign(this, { route, title: route.name });
		const calls = route.directions.flatMap(({ branches }) => branches.flatMap(({ stops }) => stops)).filter(call => call.latitude != null);
		const range = key => [Math.min, Math.max].map(pick => pick(...calls.map(call => call[key])));
		const [south, north] = range('latitude'), [west, east] = range('longitude');
		if (calls.length) {
			map.near = [(south + north) / 2, (west + east) / 2];
			// 280 pixels: the map on the smallest telephone.
			const wanted = Math.max((east - west) * width(map.near), (north - south) * degree) / 280;
			map.scale = scales.find(scale => scale >= wanted) ?? 20;
		}
		render();
	},
	view() {
		const { route } = this;
		return [
			heading(`${words.line} `, h('span.badge', bdi(this.title))),
			mapView(),
			route ? route.directions.map(({ name, branches }) => card(bdi(`${name} → ${branches.at(-1)?.stops.at(-1)?.name ?? ''}`),
				branches.map(({ stops }) => h('ol.rows', stops.map(({ stop, name, letter }) =>
					h('li', h('a', { href: stopAddress(stop) }, h('strong', title(name, letter))), star(stop, nameOf({ name, letter }))))))))
				: [waiting(this), this.fault && mayEdit && !isPaired() && h('div', button(words.pair, () => pair().then(() => this.load()), { class: 'primary' }))],
		];
	},
	drawn: drawMap,
};
