// What the board sends: its state and changes. Requests to it, and whether this device may change something.

import { byID, say } from './dom.js';
import { after, setTime, slept, steady } from './time.js';

const block = id => JSON.parse(byID(id).textContent);

export const info = block('page-info');
/** The texts of the page in its language. */
export const words = info.words;
/** The newest LiveState; null for a device that may not look. */
export let live = block('live');

/** A text with its placeholders filled: %word, and %code or %time. */
export const text = (key, word, other) => words[key].replace(/%(\w+)/g, (_, name) => name == 'word' ? word : other ?? word);

const [loaded] = performance.getEntriesByType('navigation');
if (live) setTime(live.time, live.utcOffsetSeconds, loaded?.responseStart ?? 0);

// Requests.

/** The token of this device; kept in memory where the browser stores nothing. */
export const token = {
	get: () => { try { return localStorage.getItem('boardd-token') ?? token.own; } catch { return token.own; } },
	set(value) {
		token.own = value;
		try { value ? localStorage.setItem('boardd-token', value) : localStorage.removeItem('boardd-token'); } catch { }
	},
};

/** What this device keeps; in memory where the browser stores nothing. */
export const stored = {
	memory: {},
	get(key) { try { return localStorage.getItem(key) ?? this.memory[key]; } catch { return this.memory[key]; } },
	set(key, value) {
		this.memory[key] = value;
		try { value == null ? localStorage.removeItem(key) : localStorage.setItem(key, value); } catch { }
	},
};

const authorization = () => token.get() ? { Authorization: `Bearer ${token.get()}` } : {};
export const mayEdit = info.change != 'nobody';
/** Whether a change needs no pairing first. */
export const isPaired = () => mayEdit && (info.change == 'network' || !!token.get());

let exchanging;
/**
 * Whether this device has another token than `used`: from another page of this browser, or for its cookie, as where the browser has deleted what
 * the page stored.
 */
const regain = used => exchanging ??= exchange(used).finally(() => { exchanging = null; });

async function exchange(used) {
	const isRenewed = () => !!token.get() && token.get() != used;
	if (isRenewed()) return true;
	const answer = await fetch('/v1/session', { method: 'POST' }).catch(() => { throw new Error(words.unreachable); });
	const content = await answer.json().catch(() => null);
	if (answer.ok) token.set(content.token);
	// Another page may have exchanged the cookie first.
	return isRenewed();
}

const unreachable = () => { throw new Error(words.unreachable); };

/** A further file of the page. */
export const load = name => import(`./${name}.js`).catch(unreachable);

/**
 * A request, sent again with another token, and after pairing if it changes something. Throws a sentence for the person.
 * `within`: the milliseconds after which there is no answer. `regains`: whether another token is not yet tried.
 */
export async function request(method, path, body, { pairs = method != 'GET', signal, within, regains = true } = {}) {
	const ended = new AbortController();
	signal?.addEventListener('abort', () => ended.abort());
	if (within) after(() => ended.abort(), within);
	const used = token.get();
	const headers = { ...body && { 'Content-Type': 'application/json' }, ...authorization() };
	const answer = await fetch(`/v1/${path}`, { method, signal: ended.signal, headers, body: body && JSON.stringify(body) })
		.catch(unreachable);
	const isJSON = answer.headers.get('Content-Type')?.startsWith('application/json');
	const content = await (isJSON ? answer.json() : answer.text()).catch(unreachable);
	// Of a device that is paired, the digits are wanted once more.
	const isKnown = content.error?.kind == 'digits-needed';
	if (answer.status == 401 && !isKnown && regains && await regain(used)) return request(method, path, body, { pairs, signal, within, regains: false });
	if (answer.status == 401 && pairs) {
		if (!isKnown) token.set(null);
		await form();
		return request(method, path, body, { signal, within, regains: false });
	}
	if (answer.ok) return content;
	const { sentence } = await load('errors');
	const { status } = answer, error = content.error ?? {}, wait = Number(answer.headers.get('Retry-After'));
	throw Object.assign(new Error(sentence(method, path, status, error, wait)), { status, kind: error.kind, value: error.value });
}

/** Pairs this device by the digits on the display. */
async function form() {
	await (await load('about')).pair();
	restart();
}

/** Pairs this device; without the display if it has the cookie of a device. */
export async function pair() {
	if (!await regain(token.get())) return form();
	restart();
}

export const stopPath = stop => `stops/${encodeURIComponent(stop)}`;
export const favouritePath = stop => `favourites/${encodeURIComponent(stop)}`;

/** The favourites that the last change of this device left: an undo is of it. */
let undoable;

/** Changes favourites; the board sends them as an event. */
export async function change(method, path, body) {
	let isDone = false;
	// An operator may have to know the stop first.
	after(() => isDone || say(words.loading), 3e3);
	try {
		await request(method, path, body, { within: 20e3 });
	} finally {
		isDone = true;
	}
	undoable = JSON.stringify(await request('GET', 'favourites', null, { within: 3e3 }).catch(() => null));
	if (isPolling || lostAt) restart();
}

export async function undo() {
	await change('POST', 'favourites/undo');
	say(words.undone);
}

// Events.

/** Whether the board is asked every 10 s: too many pages are open. */
export let isPolling = false;
/** When the board was last heard, and since when it is not; of the steady clock. */
let heardAt = steady();
export let lostAt = null;
/** False for a stored or hidden page, and after a sleep, until the board is heard. */
let isAwake = loaded?.transferSize > 0;
let stream, watch, redraw, asleep = 0;

export const lostFor = () => steady() - (lostAt ?? steady());
/** Whether this device slept since `restart`: what it receives is older. */
const wakes = () => slept() > asleep + 5e3;
/** Whether counts are true: not after a minute without the board. */
export const isCertain = () => isAwake && lostFor() < 60e3;

/** Starts to listen; `run` draws what an event of a kind changed, of a stop if it has one. The kind is `first` with the first state. */
export function begin(run) {
	redraw = run;
	restart();
}

/** Once a second: notices silence and sleep. */
export function check() {
	watch?.();
	if (wakes()) restart();
}

function restart() {
	stream?.abort();
	stream = new AbortController();
	if (wakes()) isAwake = false;
	asleep = slept();
	if (!document.hidden) listen(stream);
}

function receive(kind, data) {
	if (wakes()) return;
	heardAt = steady();
	lostAt = null;
	isAwake = true;
	const isFirst = !live;
	if (kind == 'state') live = data;
	else if (kind == 'stop') live.stops = live.stops.map(stop => stop.stop == data.stop ? data : stop);
	else if (kind == 'departures') renew(live.stops.find(({ stop }) => stop == data.stop), data);
	else if (kind == 'display') live.display = redrawn(live.display, data);
	else live[kind] = data;
	// Another device's change.
	if (/^(state|favourites)$/.test(kind) && undoable != JSON.stringify(live.favourites)) byID('undo').hidden = true;
	if (data.time && kind != 'stop') {
		setTime(data.time, live.utcOffsetSeconds);
		asleep = 0;
	}
	redraw(isFirst ? 'first' : kind, data.stop);
}

/** The display after a change; null is a row or a strip as before. */
function redrawn(old, { rows, strips, time, ...rest }) {
	const merged = (old, parts) => old.map((one, at) => parts[at] ?? one);
	return { ...old, ...rest, rows: merged(old.rows, rows), dots: { ...old.dots, strips: merged(old.dots.strips, strips) } };
}

/** The departures of a response: a number is the one that had this index, `was` the index of one whose times changed. */
function renew(stop, { lastResponseAt, departures }) {
	const old = stop.departures;
	stop.lastResponseAt = lastResponseAt;
	if (departures) stop.departures = departures.map(item =>
		typeof item == 'number' ? old[item] : 'was' in item ? { ...old[item.was], ...item } : item);
}

const pause = (time, signal) => new Promise(done => {
	after(done, time);
	signal.onabort = done;
});

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

/** The version of the state that came with the page; it is good for the first stream. */
let version = isAwake && byID('live').dataset.version;

/** Reads events, again after 1 s to 3 s; polls where there is no stream. */
async function listen({ signal }) {
	for (let wait = 1e3; !signal.aborted; wait = Math.min(2 * wait, 3e3)) {
		const began = steady();
		const one = new AbortController();
		signal.addEventListener('abort', () => one.abort());
		// The board sends a comment every 4 s; polls are 10 s apart.
		watch = () => steady() - Math.max(heardAt, began) > (isPolling ? 17e3 : 7e3) && one.abort();
		try {
			const after = version ? `?after=${version}` : '';
			version = null;
			const used = token.get();
			const answer = await fetch(`/v1/events${after}`, { headers: authorization(), signal: one.signal });
			isPolling = answer.status == 503;
			if (answer.ok) await readEvents(answer.body, one.signal);
			// A minute of polls, then a try.
			for (let count = 0; isPolling && count < 6 && !signal.aborted; count++) {
				receive('state', await request('GET', 'live', null, { signal: one.signal }));
				await pause(10e3, signal);
			}
			if (isPolling) continue;
			if (answer.status == 401 && !await regain(used)) {
				if (!token.get()) {
					live = null;
					return redraw('state');
				}
				token.set(null);
			}
		} catch { }
		if (signal.aborted) return;
		if (heardAt > began) wait = 1e3;
		lostAt ??= heardAt;
		redraw('connection');
		await pause(wait, signal);
	}
}

document.onvisibilitychange = () => {
	isAwake = false;
	version = null;
	if (!document.hidden) lostAt ??= steady();
	restart();
	redraw('state');
};
ononline = onoffline = restart;
// Who taps does not wait.
addEventListener('pointerdown', () => lostFor() > 5e3 && restart());
