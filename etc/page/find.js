// The screens Find and Line: search by name, code or place, and the map.

import { nameOf, painted, stopAddress, upcoming } from './board.js';
import { action, bdi, button, byID, card, facts, h, heading, say, title } from './dom.js';
import { isPaired, live, mayEdit, pair, request, stopPath, stored, text, words } from './live.js';
import { at, degree, drawMap, mapView, newMap, scales, use, width, written } from './map.js';
import { go, known, lead, render, star } from './page.js';
import { after } from './time.js';

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

/** Where this device is. */
export const here = () => new Promise((done, failed) => navigator.geolocation.getCurrentPosition(
	({ coords }) => done([coords.latitude, coords.longitude]), () => failed(new Error(words.noLocation))));

/** A response, or the sentence of an error, unless it is about a list that is on its way. */
const attempt = path => request('GET', path).then(found => ({ found }), error => lead?.awaits(error) ? {} : { fault: error.message });
const waiting = ({ fault }) => h('p', { class: fault && 'notice warn', role: fault && 'alert' }, fault ?? words.loading);

// Recent searches.

const most = 5;

function recent() {
	try {
		return JSON.parse(stored.get('boardd-searches')) ?? [];
	} catch {
		return [];
	}
}

/** Puts a search first. */
const remember = query => stored.set('boardd-searches', JSON.stringify(
	[query, ...recent().filter(other => other.toLowerCase() != query.toLowerCase())].slice(0, most)));

function forget() {
	stored.set('boardd-searches', null);
	render();
	byID('query').focus();
}

const recentView = () => recent().length > 0 && h('div.tools', { role: 'group', 'aria-labelledby': 'recent' },
	h('p.soft', { id: 'recent' }, words.recent),
	recent().map(query => h('a.button', { href: `/find?query=${encodeURIComponent(query)}` }, bdi(query))),
	button(words.clearRecent, forget, { 'aria-describedby': 'recent' }));

// The screen Find.

const limit = 40;
/** In milliseconds: who types on within it is not shown suggestions yet. */
const pause = 250;
const isLink = typed => /^https?:/.test(typed);

const item = stop => h('li', { 'data-key': stop.stop, onclick: () => find.query && remember(find.query) },
	h('a', { href: stopAddress(stop.stop) }, h('strong', title(stop.name, stop.letter)), facts([
		stop.distanceMetres != null && `${Math.round(stop.distanceMetres)} m`,
		stop.towards && text('towardsOf', stop.towards),
		stop.lines.slice(0, 12).map(line => line.name).join(', '),
	]), upcoming(stop.stop)),
	star(stop.stop, nameOf(stop)));

export const find = {
	screen: 'find',
	title: words.find,
	map: newMap((near, scale) => {
		if (!byID('query')) return;
		find.map.more = {};
		find.write('');
		return find.go(near, scale);
	}),
	/** `isBack`: it is as it was left, if it is known. */
	async enter(query, isBack) {
		const { map } = this;
		use(map);
		this.turn = null;
		this.isFinished = query.has('query');
		if (isBack && this.address == location.href && this.stops) return this.write(this.query ?? '');
		map.more = query.has('stop') ? { stop: query.get('stop') } : {};
		map.near = this.stops = this.asked = this.query = null;
		this.address = location.href;
		this.write(query.get('query') ?? '');
		if (this.typed) return this.list({ query: this.typed, limit });
		const scale = Number(query.get('scale')), { href } = location;
		const near = query.has('near') ? place(query.get('near')) : await this.position(map.more.stop);
		if (near && href == location.href) await this.show(near, scales.includes(scale) ? scale : 2);
	},
	/** What is in the field. */
	write(typed) {
		this.typed = typed;
		if (byID('query')) byID('query').value = typed;
	},
	/** Shows an address: of the same entry of the history, but after a search that is finished of the next. */
	note(address) {
		if (this.isFinished) history.pushState(null, '', address);
		else history.replaceState(history.state, '', address);
		this.isFinished = false;
		this.address = location.href;
	},
	/** Where a stop is; without a stop, where the first favourite is. */
	async position(stop) {
		const all = [...live.favourites, ...known.values()].filter(one => one.latitude != null);
		const one = stop ? all.find(one => one.stop == stop) ?? (await request('GET', stopPath(stop))).stop : all[0];
		if (stop && one.latitude == null) throw new Error(words.noPosition);
		return one && [one.latitude, one.longitude];
	},
	go(near, scale) {
		this.note(`/find?near=${written(near)}&scale=${scale}`);
		return this.show(near, scale);
	},
	async show(near, scale) {
		this.query = null;
		Object.assign(this.map, { near, scale });
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
		Object.assign(this, { stops, fault, query: query.query, isPart: total > 150 || found?.length == limit });
		for (const stop of stops ?? []) known.set(stop.stop, stop);
		render();
	},
	/** A search that is finished: with Enter, or of a place that was pasted. */
	submit(typed) {
		this.turn = null;
		const near = place(typed);
		if (near) return go(`/find?near=${written(near)}`);
		if (isLink(typed)) throw new Error(words.noCoordinates);
		remember(typed);
		if (this.asked?.query != typed || this.fault) this.suggest(typed);
		this.isFinished = true;
	},
	paste(typed) {
		try {
			this.submit(typed);
		} catch (error) {
			say(error.message);
		}
	},
	typing(event) {
		const typed = this.typed = event.target.value.trim(), turn = this.turn = {};
		if (event.inputType == 'insertFromPaste' && (isLink(typed) || place(typed))) return this.paste(typed);
		after(() => turn == this.turn && byID('query') && (!typed || typed.length > 1) && this.suggest(typed), pause);
		render();
	},
	/** Lists what is in the field; where it is empty, the stops of the map. */
	suggest(typed) {
		const { map } = this, near = typed ? place(typed) : map.near;
		if (near) return this.go(near, map.scale);
		if (isLink(typed)) return;
		this.note(typed ? `/find?query=${encodeURIComponent(typed)}` : '/find');
		return typed ? this.list({ query: typed, limit }) : this.enter(new URLSearchParams());
	},
	/** On a phone the focus would open the keyboard, over the map. */
	first() { return this.typed || this.map.more.stop || !matchMedia('(pointer:fine)').matches ? null : byID('query'); },
	view() {
		const { map, stops, query, typed } = this;
		const favourites = live.favourites.filter(({ latitude }) => latitude != null);
		const sentence = query && stops && (stops.length ? text('found', stops.length) : text('notFound', query));
		return [
			heading(words.find),
			h('form.form', { role: 'search', onsubmit: action(event => {
				const field = event.target.elements.query, typed = field.value.trim();
				if (typed) this.submit(typed);
				else field.focus();
			}) },
				h('label', { for: 'query' }, words.findLabel),
				h('div.bar',
					h('input', { id: 'query', type: 'search', enterkeyhint: 'search', autocomplete: 'off', value: typed, 'aria-describedby': 'help', oninput: event => this.typing(event) }),
					h('button.primary', words.search)),
				h('p.soft', { id: 'help' }, words.findHelp)),
			h('p.hidden', { role: 'status' }, sentence),
			!typed && recentView(),
			!query && mapView(),
			!query && map.near && h('p.soft', words.mapHelp),
			stops && card(query ? text('found', stops.length) : words.stopsNearest,
				stops.length ? h('ul.rows', stops.map(item)) : h('p', sentence ?? words.noStopsHere),
				this.isPart && h('p.soft', words.more)),
			!stops && this.asked && waiting(this),
			(isSecureContext || favourites.length > 0) && card(words.near, h('div.tools',
				isSecureContext && button(words.nearMe, async () => map.moved(await here(), 1)),
				favourites.map(favourite => h('a.button', { href: `/find?near=${written([favourite.latitude, favourite.longitude])}` },
					bdi(nameOf(favourite)))))),
		];
	},
	drawn: drawMap,
};

// The screen Line.

export const line = {
	screen: 'find',
	async enter(query) {
		const id = query.get('id') || '-';
		Object.assign(this, { id, title: id.split(':')[1] });
		this.fault = this.route = null;
		this.map = newMap((near, scale) => {
			Object.assign(this.map, { near, scale });
			render();
		});
		this.map.more = { line: id };
		use(this.map);
		await this.load();
	},
	async load() {
		const { id, map } = this;
		const { found: route, fault } = await attempt(`lines/${encodeURIComponent(id)}`);
		if (map != this.map) return;
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
			heading(`${words.line} `, h('span.badge', { style: painted(route?.colour) }, bdi(this.title))),
			mapView(),
			route ? route.directions.map(({ name, branches }) => card(bdi(`${name} → ${branches.at(-1)?.stops.at(-1)?.name ?? ''}`),
				branches.map(({ stops }) => h('ol.rows', stops.map(({ stop, name, letter }) =>
					h('li', h('a', { href: stopAddress(stop) }, h('strong', title(name, letter))), star(stop, nameOf({ name, letter }))))))))
				: [waiting(this), this.fault && mayEdit && !isPaired() && h('div', button(words.pair, () => pair().then(() => this.load()), { class: 'primary' }))],
		];
	},
	drawn: drawMap,
};
