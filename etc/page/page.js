// Elements, requests, events, the screens Board and Stop, the router.

export const byID = id => document.getElementById(id);
const block = id => JSON.parse(byID(id).textContent);
const main = byID('main');

export const info = block('page-info');
/** The texts of the page in its language. */
export const words = info.words;
/** The newest LiveState; null for a device that may not look. */
export let live = block('live');

/** A text with its placeholders filled: %word, and %code or %time. */
export const text = (key, word, other) => words[key].replace(/%(\w+)/g, (_, name) => name == 'word' ? word : other ?? word);

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
	element.append(...children.flat(9).filter(child => child != null && child !== false));
	return element;
}

const handlers = ['onclick', 'onsubmit', 'onkeydown', 'onpointerdown'];

/** Changes `old` into `made`; elements that stay keep focus and input. */
function patch(old, made) {
	for (const { name } of [...old.attributes]) if (name != 'style' && !made.hasAttribute(name)) old.removeAttribute(name);
	for (const { name, value } of made.attributes) {
		if (name != 'style' && old.getAttribute(name) != value) old.setAttribute(name, value);
	}
	if (old.style.cssText != made.style.cssText) old.style.cssText = made.style.cssText;
	for (const name of handlers) old[name] = made[name];
	if (made.hasAttribute('data-keep')) return;
	const keyed = new Map([...old.children].map(child => [child.dataset.key, child]));
	let next = old.firstChild;
	for (const child of [...made.childNodes]) {
		const key = child.dataset?.key;
		const same = key ? keyed.get(key) : next;
		if (!same || same.nodeName != child.nodeName || same.dataset?.key != key) {
			old.insertBefore(child, next);
			continue;
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

const drawn = /^(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|title|desc|a)$/;

/** A drawing of the daemon without what could run or load. */
export function drawing(svg) {
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

/** A text of an operator or a person, of any direction. */
export const bdi = value => h('bdi', { dir: 'auto' }, value);
export const facts = all => h('p.facts', all.filter(Boolean).map(fact => h('span', { dir: 'auto' }, fact)));
/** The label of a favourite, or the name of its stop with the letter: a street has several. */
export const nameOf = ({ label, name, stop, letter }) => label ?? [name ?? stop, letter].filter(Boolean).join(' ');
export const title = (name, letter) => [bdi(name), letter && [' ', h('span.letter', bdi(letter))]];
const hidden = word => h('span.hidden', word);
export const heading = (...children) => h('h1', { tabindex: -1 }, children);
export const card = (name, ...children) => h('section.card', h('h2', name), children);

/** When the message ends, and the favourites that its undo changes. */
let silence, undoable;

export function say(message, canUndo) {
	silence = steady() + 20e3;
	byID('say').textContent = message;
	byID('undo').hidden = !canUndo;
}

/** A handler that reports errors, and ignores taps meanwhile. */
export const action = run => async event => {
	event.preventDefault();
	const it = event.submitter ?? event.currentTarget;
	if (it.busy) return;
	it.busy = true;
	try {
		await run(event);
	} catch (error) {
		say(error.message);
	}
	it.busy = false;
};

export const button = (word, run, properties) => h('button', { type: 'button', onclick: action(run), ...properties }, word);

/** The token of this device; kept in memory where the browser stores nothing. */
export const token = {
	get: () => { try { return localStorage.getItem('boardd-token') ?? token.own; } catch { return token.own; } },
	set(value) {
		token.own = value;
		try { value ? localStorage.setItem('boardd-token', value) : localStorage.removeItem('boardd-token'); } catch { }
	},
};
const authorization = () => token.get() ? { Authorization: `Bearer ${token.get()}` } : {};
export const mayEdit = info.change != 'nobody';
/** Whether a change needs no pairing first. */
export const isPaired = () => mayEdit && (info.change == 'network' || !!token.get());

/** A request, sent again after pairing if it changes something. Throws a sentence for the person. */
export async function request(method, path, body, { pairs = method != 'GET', signal } = {}) {
	const answer = await fetch(`/v1/${path}`, { method, signal, headers: { ...body && { 'Content-Type': 'application/json' }, ...authorization() }, body: body && JSON.stringify(body) })
		.catch(() => { throw new Error(words.unreachable); });
	if (answer.status == 401 && pairs) {
		token.set(null);
		await pair();
		return request(method, path, body, { signal });
	}
	const isJSON = answer.headers.get('Content-Type')?.startsWith('application/json');
	const content = await (isJSON ? answer.json() : answer.text());
	if (answer.ok) return content;
	const { status } = answer, { kind, value, message = `${words.unreachable} (${status})` } = content.error ?? {};
	// The daemon's sentences are English.
	const reason = words[path.match(/\w+/) + status];
	const sentence = { 'no-directory': words.noDirectory, 'not-paired': words.notPaired }[kind];
	throw Object.assign(new Error(sentence ?? (reason ? `${reason} (${message})` : message)), { status, kind, value });
}

export async function pair() {
	await (await import('./about.js')).pair();
	restart();
}

export const stopPath = stop => `stops/${encodeURIComponent(stop)}`;
export const favouritePath = stop => `favourites/${encodeURIComponent(stop)}`;
export const stopAddress = stop => `/stop?id=${encodeURIComponent(stop)}`;

/** Changes favourites; the board sends them as an event. */
export async function change(method, path, body) {
	await request(method, path, body);
	undoable = JSON.stringify(await request('GET', 'favourites'));
	if (isPolling || lostAt) restart();
}

export async function undo() {
	await change('POST', 'favourites/undo');
	say(words.undone);
}

export function star(stop, name, isLong) {
	const is = !!live?.favourites.some(favourite => favourite.stop == stop);
	return mayEdit && button([h('span', { 'aria-hidden': true }, is ? '★' : '☆'), isLong && words.favourite], async () => {
		await (is ? change('DELETE', favouritePath(stop)) : change('POST', 'favourites', { stop }));
		say(text(is ? 'removed' : 'added', name), true);
	}, { class: isLong ? null : 'star', 'aria-pressed': `${is}`, 'aria-label': isLong ? null : text('starOf', name) });
}

const { parse } = Date;
/** The time, in milliseconds; `steady` is never set. A test has its own. */
export const { wall, steady, after, every } = window.time ?? { wall: Date.now, steady: () => performance.now(), after: setTimeout, every: setInterval };
let base = live ? parse(live.time) : wall();
const [loaded] = performance.getEntriesByType('navigation');
let mark = loaded?.responseStart ?? 0, begun = wall() - steady(), sleep = 0;
/** How long the steady clock stood since `mark`: in sleep, or as the other clock was set. */
const slept = () => Math.max(0, wall() - begun - steady());
export const now = () => base + steady() - mark + slept();

/** Local time in the fields of UTC. */
const local = (at, offset = live?.utcOffsetSeconds ?? 0) => new Date(at + 1e3 * offset);
const clock = (at, offset) => local(at, offset).toISOString().slice(11, 16);
export const moment = time => time ? local(parse(time)).toISOString().slice(0, 16).replace('T', ' ') : '–';

const due = departure => parse(departure.expected ?? departure.scheduled);

/** Of milliseconds; 0: due. */
const minutes = time => time < 3e4 ? 0 : Math.max(1, Math.floor(time / 6e4));
/** The milliseconds until it departs. The board holds a number of minutes that an estimate would raise by one. */
function left(departure) {
	const time = due(departure) - now();
	return minutes(time) > departure.minutes ? time - 6e4 : time;
}
const number = until => minutes(until) ? [`${minutes(until)}`, h('small', ` ${words.minutes}`)] : words.due;
/** Whether its time is an old estimate, or that of the timetable. */
const isAbout = ({ status, staleAt }) => status == 'scheduled' || parse(staleAt) < now();

/** What the time column shows, as on the display: until a person must leave, or until it departs. */
function count(departure) {
	const at = due(departure), zone = departure.utcOffsetSeconds, time = at ? clock(at, zone) : '';
	const word = key => h('small.word', words[key]);
	if (departure.status == 'cancelled') return [h('s', time), word('cancelled')];
	if (departure.status == 'delayed' || !at) return [time, word('delayed')];
	const until = left(departure);
	if (until > 864e5) {
		const day = local(at, zone);
		return [h('small', `${words.dayNames.split(' ')[day.getUTCDay()]} ${day.getUTCDate()} `), time];
	}
	const about = isAbout(departure) && h('span.mark', h('span', { 'aria-hidden': true }, '~'), hidden(`${words.roughly} `));
	const leave = parse(departure.leaveBy), walk = at - leave;
	if (isCertain() && leave) {
		// At the stop nobody runs.
		if (walk && until < walk) return h('span.run', about, words.run);
		if (until - walk < 6e4) return h('span.go', about, words.goNow);
		return until - walk > 36e5 ? [word('goAt'), clock(leave, zone)] : [word('goIn'), about, number(until - walk)];
	}
	return until > 36e5 ? time : [about, isCertain() ? number(until) : time];
}

let isPolling = false;
/** When the board was last heard, and since when it is not. */
let heardAt = steady(), lostAt;
/** False for a stored or hidden page, and after a sleep, until the board is heard. */
let isAwake = loaded?.transferSize > 0;
let stream, watch;

const lostFor = () => steady() - (lostAt ?? steady());
/** Whether this device slept since `restart`: what it receives is older. */
const wakes = () => slept() > sleep + 5e3;
const isCertain = () => isAwake && lostFor() < 60e3;
const pause = (time, signal) => new Promise(done => {
	after(done, time);
	signal.onabort = done;
});

function receive(kind, data) {
	if (wakes()) return;
	heardAt = steady();
	lostAt = null;
	isAwake = true;
	const isFirst = !live;
	if (kind == 'state') live = data;
	if (kind == 'stop') live.stops = live.stops.map(stop => stop.stop == data.stop ? data : stop);
	if (kind == 'display') live.display = data.display;
	if (/^(favourites|changes|faults)$/.test(kind)) live[kind] = data;
	// Another device's change.
	if (/^(state|favourites)$/.test(kind) && undoable != JSON.stringify(live.favourites)) byID('undo').hidden = true;
	if (data.time) [base, mark, begun, sleep] = [parse(data.time), heardAt, wall() - heardAt, 0];
	if (kind == 'display' && announces) {
		announces = false;
		say(spoken());
	}
	isFirst ? route() : render();
}

async function readEvents(body, signal) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader();
	for (let rest = ''; ;) {
		const { done, value } = await reader.read();
		// The decoder may still hold older events.
		if (done || signal.aborted) return;
		heardAt = steady();
		const events = (rest + value).split('\n\n');
		rest = events.pop();
		for (const event of events) {
			const [, kind, data] = event.match(/^event: (\w+)\ndata: (.*)$/) ?? [];
			if (kind) receive(kind, JSON.parse(data));
		}
	}
}

/** Reads events, again after 1 s to 30 s; polls where there is no stream. */
async function listen({ signal }) {
	for (let wait = 1e3; !signal.aborted; wait = Math.min(2 * wait, 30e3)) {
		const began = steady();
		const one = new AbortController();
		signal.addEventListener('abort', () => one.abort());
		// The board sends a comment every 4 s; polls are 10 s apart.
		watch = () => steady() - Math.max(heardAt, began) > (isPolling ? 17e3 : 7e3) && one.abort();
		try {
			const answer = await fetch('/v1/events', { headers: authorization(), signal: one.signal });
			isPolling = answer.status == 503;
			if (answer.ok) await readEvents(answer.body, one.signal);
			// A minute of polls, then a try.
			for (let count = 0; isPolling && count < 6 && !signal.aborted; count++) {
				receive('state', await request('GET', 'live', null, { signal: one.signal }));
				await pause(10e3, signal);
			}
			if (isPolling) continue;
			if (answer.status == 401) {
				if (!token.get()) {
					live = null;
					return render();
				}
				token.set(null);
			}
		} catch { }
		if (signal.aborted) return;
		if (heardAt > began) wait = 1e3;
		lostAt ??= heardAt;
		render();
		await pause(wait, signal);
	}
}

function restart() {
	stream?.abort();
	stream = new AbortController();
	if (wakes()) isAwake = false;
	sleep = slept();
	if (!document.hidden) listen(stream);
}

document.onvisibilitychange = () => {
	isAwake = false;
	if (!document.hidden) lostAt ??= steady();
	restart();
	render();
};
ononline = onoffline = restart;

/** Always there: forms behind it keep their input. */
function connection() {
	const isLost = lostFor() > 5e3;
	return h('p', { class: isLost ? 'notice warn' : 'notice', hidden: !isLost && !isPolling },
		isLost ? text('offline', clock(base + lostAt - mark)) : words.manyPages);
}

const isThere = ({ goneAt }) => parse(goneAt) > now();
const isActive = ({ from, until }) => !(parse(from) > now() || parse(until) <= now());

function row(departure, letter, isFull) {
	const { trip, scheduled, expected, lateMinutes, platform, vehicle, leaveBy, facts: said } = departure;
	const until = left(departure), clockOf = time => clock(time, departure.utcOffsetSeconds);
	return h('tr', { class: departure.status == 'cancelled' && 'gone' },
		h('td.line', h('span.badge', bdi(departure.line))),
		h('td', h('span.to', bdi(departure.destination)), facts([
			scheduled && expected && (lateMinutes || isFull && scheduled != expected)
				&& [text('booked', clockOf(parse(scheduled))), lateMinutes && `+${lateMinutes}`],
			...said,
			leaveBy && [text('departs', clockOf(due(departure))), isCertain() && until <= 36e5 && [', ', number(until)]],
			...isFull ? [
				platform && platform != letter && !said.some(fact => fact.includes(platform)) && text('platform', platform),
				trip?.via && text('via', trip.via.replace(/^via /, '')),
				trip?.coaches && text('coaches', trip.coaches),
				vehicle && text('vehicle', vehicle),
				trip?.operator != departure.line && trip?.operator, trip?.reason,
			] : [],
		])),
		h('td.when', count(departure)));
}

const table = (departures, name, letter, isFull) => departures.length > 0 && h('table', h('caption.hidden', name),
	h('thead.hidden', h('tr', ['line', 'destination', 'time'].map(key => h('th', { scope: 'col' }, words[key])))),
	h('tbody', departures.map(departure => row(departure, letter, isFull))));

function age(stop) {
	const seconds = Math.floor((now() - parse(stop.lastResponseAt)) / 1e3);
	return seconds > 2 * (stop.intervalSeconds ?? 30)
		&& h('p.soft', text('updated', seconds < 120 ? `${seconds} s` : `${Math.floor(seconds / 60)} min`));
}

function notice(stop) {
	const sentence = stop.notice ?? (stop.departures.length || stop.withheld ? null : words.nothing);
	return sentence && h(`p.notice${/failing|frozen/.test(stop.status) ? '.warn' : ''}`, { dir: 'auto' }, sentence);
}

const legend = departures => departures.some(isAbout) && h('p.soft', `~ ${words.roughly}`);

/** The most departures of a stop. */
const rowsOfBoard = 6;
/** Whether a press here changes the display next. */
let announces = false;
const spoken = () => live.display.rows.map(row => row.trim()).join('. ');

async function press() {
	announces = true;
	await request('POST', 'press', { gesture: 'short', number: 1 });
}

async function refresh() {
	await request('POST', 'refresh');
	say(words.refreshing);
}

const board = {
	screen: 'board',
	view() {
		const faults = Object.values(live.faults);
		const shown = stop => stop.departures.filter(departure => isThere(departure) && departure.isShown !== false).slice(0, rowsOfBoard);
		return [
			h('header.head', heading(bdi(live.name)), h('time', clock(now()))),
			/wall|disputed/.test(live.timeSource) && h('p.notice.warn', words.uncertainTime),
			faults.length > 0 && h('p.notice.warn', h('a', { href: '/about' }, words.faults), ' ', bdi(faults.join(' · '))),
			h('div.top',
				h('div', { id: 'display', style: isCertain() ? '' : 'visibility:hidden', role: 'img', 'aria-label': `${live.display.lit ? words.display : words.displayOff}: ${spoken()}`, 'data-keep': true }),
				mayEdit && h('div.tools', button(words.next, press), button(words.refresh, refresh))),
			h('div.cards', live.stops.map(stop => {
				const name = stop.label ?? stop.name, alerts = stop.alerts.filter(isActive).length;
				return h('section.card', { 'data-key': stop.stop },
					h('h2', h('a', { href: stopAddress(stop.stop) }, h('span.to', title(name, stop.letter)))),
					notice(stop), table(shown(stop), name, stop.letter),
					alerts > 0 && h('p', h('a.link', { href: stopAddress(stop.stop) }, text('alerts', alerts))),
					age(stop));
			})),
			live.stops.length == 0 && h('div.card', h('p', words.noFavourites), h('a.button.primary', { href: '/find' }, words.findStop)),
			legend(live.stops.flatMap(shown)),
			h('p.soft', [...new Set(live.stops.map(stop => stop.attribution))].join(' · ')),
		];
	},
	drawn() {
		const box = byID('display'), { svg, rows } = live.display;
		if (box.svg == svg) return;
		box.svg = svg;
		const picture = svg && drawing(svg);
		if (picture) picture.role = 'presentation';
		box.replaceChildren(picture || h('pre', rows.join('\n')));
	},
};

/** Stops that searches found, by their identifier. */
export const known = new Map();
const byLine = (one, other) => one.line.localeCompare(other.line, undefined, { numeric: true });

const stopScreen = {
	screen: 'board',
	async enter(query) {
		const id = query.get('id') ?? '';
		if (this.id != id) this.asked = null;
		Object.assign(this, { id, sort: query.get('sort') ?? '' });
		if (!known.has(id)) request('GET', stopPath(id)).then(({ stop }) => known.set(id, stop)).catch(() => { }).then(render);
		if (!this.held() && !this.asked?.departures.some(isThere) && isPaired()) await this.ask(false);
	},
	held() { return live.stops.find(stop => stop.stop == this.id); },
	/** Requests a stop that is not polled. */
	async ask(pairs) {
		const { id } = this, asked = await request('POST', `${stopPath(id)}/look`, null, { pairs });
		if (id == this.id) this.asked = asked;
		render();
	},
	view() {
		const { id, sort } = this, entry = known.get(id), held = this.held();
		const stop = held ?? this.asked, alerts = stop?.alerts.filter(isActive);
		const name = this.title = stop?.label ?? stop?.name ?? entry?.name ?? id;
		const all = (stop?.departures ?? []).filter(isThere).sort((one, other) =>
			sort == 'line' && byLine(one, other) || (due(one) || Infinity) - (due(other) || Infinity) || 0);
		const lines = new Map([...entry?.lines ?? [], ...all.map(({ lineID, line }) => ({ id: lineID, name: line }))].map(line => [line.id, line.name]));
		const order = (key, word) => h('a.button', { href: stopAddress(id) + (key && `&sort=${key}`), 'aria-current': key == sort }, word);
		return [
			heading(title(name, stop?.letter ?? entry?.letter)),
			facts([stop?.label && stop.name, entry?.towards && text('towardsOf', entry.towards)]),
			h('div.tools', star(id, name, true), h('a.button', { href: `/find?stop=${encodeURIComponent(id)}` }, words.map),
				!held && mayEdit && button(words.showDepartures, () => this.ask())),
			stop ? notice(stop) : h('p', words.notPolled),
			[stop?.lastError, stop?.partialFailure].map(error => error && h('p.notice.warn', { dir: 'auto' }, error.detail)),
			alerts?.length > 0 && card(words.alertsTitle, h('ul.rows', alerts.map(alert => h('li', h('p.grow',
				alert.lines && h('b', `${alert.lines.map(line => lines.get(line) ?? line).join(', ')}: `), bdi(alert.text)))))),
			all.length > 0 && h('section.card',
				h('div.tools', { role: 'group', 'aria-label': words.sort }, order('', words.byTime), order('line', words.byLine)),
				table(all, name, stop.letter, true)),
			stop && age(stop),
			legend(all),
			lines.size > 0 && card(words.linesTitle, h('div.tools', [...lines].map(([line, name]) =>
				h('a.badge', { href: `/line?id=${encodeURIComponent(`${id.split(':')[0]}:${line}`)}` }, bdi(name))))),
			stop && h('p.soft', stop.attribution),
		];
	},
};

const files = { find: 'find', line: 'find', favourites: 'favourites', about: 'about' };
let screen, place;

/** What a device sees that may not look. */
const closed = () => [heading(bdi(info.name)), h('p', words.onlyPaired), h('div', button(words.pair, pair, { class: 'primary' }))];

export function render() {
	if (!screen || document.querySelector('.drag')) return;
	const focused = document.activeElement;
	patch(main, h('main', { id: 'main', tabindex: -1, class: screen == board ? 'wide' : null }, live ? [connection(), screen.view()] : closed()));
	if (live) screen.drawn?.();
	if (focused != document.activeElement && main.contains(focused)) focused.focus({ preventScroll: true });
	document.title = [screen.title, live?.name ?? info.name].filter(Boolean).join(' – ');
}

async function route() {
	const { pathname, search, href } = location;
	const last = screen, name = pathname.slice(1), query = new URLSearchParams(search), before = place;
	place = pathname + (query.get('id') ?? '');
	let next = name == 'stop' ? stopScreen : board;
	try {
		if (files[name]) next = (await import(`./${files[name]}.js`))[name];
	} catch {
		return say(words.unreachable);
	}
	// Another screen was opened.
	if (href != location.href) return;
	screen = next;
	for (const link of document.querySelectorAll('nav a')) link.ariaCurrent = link.dataset.screen == screen.screen ? 'page' : null;
	if (last != screen) main.replaceChildren();
	if (last) say('');
	const task = live && screen.enter?.(query);
	render();
	if (last && before != place) {
		scrollTo(0, 0);
		(screen.first?.() ?? main.querySelector('h1')).focus({ preventScroll: true });
	}
	await task?.catch(error => href == location.href && say(error.message));
}

export function go(address) {
	history.pushState(null, '', address);
	return route();
}

document.documentElement.classList.add('js');
byID('undo').onclick = action(undo);
onpopstate = route;
addEventListener('click', event => {
	const link = event.target.closest('a[href^="/"]');
	if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	go(link.getAttribute('href'));
});
route();
restart();
every(() => {
	steady() > silence && say('');
	watch?.();
	wakes() && restart();
	document.hidden || render();
}, 1e3);
