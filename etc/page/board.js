// The screen Board: the display and the departures of each stop. How a departure and an alert are shown.

import { action, bdi, button, byID, facts, h, heading, hidden, patch, say, sign, tick, timed, title } from './dom.js';
import { info, isCertain, live, load, mayEdit, request, text, words } from './live.js';
import { render } from './page.js';
import { clock, dates, duration, local, now, parse, today } from './time.js';

export const stopAddress = stop => `/stop?id=${encodeURIComponent(stop)}`;
/** The label of a favourite, or the name of its stop with the letter: a street has several. */
export const nameOf = ({ label, name, stop, letter }) => label ?? [name ?? stop, letter].filter(Boolean).join(' ');

// Lines.

/** The word and the drawing of a mode. */
const modes = {
	bus: [words.bus, 'M5 3h14a2 2 0 0 1 2 2v13h-2v3h-3v-3H8v3H5v-3H3V5a2 2 0 0 1 2-2zM5 6v6h14V6zM6 14v2h3v-2zM15 14v2h3v-2z'],
	tram: [words.tram, 'M8 1h8v2h-3v3h3a3 3 0 0 1 3 3v8a3 3 0 0 1-2 2.8L18.2 23h-2.7l-1.2-3H9.7l-1.2 3H5.8L7 19.8A3 3 0 0 1 5 17V9a3 3 0 0 1 3-3h3V3H8zM7.5 9v5h9V9zM11 16v2h2v-2z'],
	metro: [words.metro, 'M12 1a11 11 0 1 0 0 22 11 11 0 0 0 0-22zM5.5 17.5v-11h2.8L12 12l3.7-5.5h2.8v11h-2.7V11L12 16.5 8.2 11v6.5z'],
	train: [words.train, 'M8 2h8a4 4 0 0 1 4 4v9a3 3 0 0 1-3 3l3 4h-3l-1.5-2h-7L7 22H4l3-4a3 3 0 0 1-3-3V6a4 4 0 0 1 4-4zM7 6v5h4V6zM13 6v5h4V6zM7 13.5v2h2.5v-2zM14.5 13.5v2H17v-2z'],
	ferry: [words.ferry, 'M10 1h4v3h4v6l3.5 1.2L19 18H5l-2.5-6.8L6 10V4h4zM8 6v3.3L12 8l4 1.3V6zM3 20h18v2.5H3z'],
};

/** The linear value of a channel, 0 to 1 (WCAG 2). */
const linear = value => value > .04045 ? ((value + .055) / 1.055) ** 2.4 : value / 12.92;
const luminance = colour => [.2126, .7152, .0722].reduce(
	(sum, share, at) => sum + share * linear(parseInt(colour.slice(2 * at, 2 * at + 2), 16) / 255), 0);

/** The style of a badge in an operator's colour, RRGGBB, under black or white: one of the two always has 4.5:1. */
export const painted = colour => colour && `background:#${colour};color:${luminance(colour) > .179 ? '#000' : '#fff'}`;

/** Whether these departures, or those on the board, have several modes. */
const haveModes = departures => new Set([...departures, ...live.stops.flatMap(stop => stop.departures.filter(shown => shown.passesFilters))]
	.map(({ mode }) => mode).filter(Boolean)).size > 1;

/** Whether the board has several modes: then all cards have their signs. */
let isMixed = false;

// On paper.

let isPrinting = false;
const paper = matchMedia('print');
/** Paper has clock times instead of minutes, and every departure. */
export const onPaper = () => isPrinting || paper.matches;

function print({ type }) {
	isPrinting = type == 'beforeprint';
	tick();
}
addEventListener('beforeprint', print);
addEventListener('afterprint', print);
paper.onchange = print;

/** The day and time of what is printed. */
export const printed = () => timed('p', {}, () => onPaper() ? clock(now()) : '', time => time && text('asOf', `${today()}, ${time}`));

// Departures.

/** Whether minutes count down. */
const counts = () => isCertain() && !onPaper();
export const due = departure => parse(departure.expected ?? departure.scheduled);
export const isThere = ({ goneAt }) => parse(goneAt) > now();

/** Of milliseconds; 0: due. */
const minutes = time => time < 3e4 ? 0 : Math.max(1, Math.floor(time / 6e4));

/** The milliseconds until it departs. The board holds a number of minutes that an estimate would raise by one. */
function left(departure) {
	const time = due(departure) - now(), { hold } = departure;
	if (!hold || parse(hold.until) <= now() || minutes(time) != hold.minutes + 1) return time;
	return hold.minutes ? time - 6e4 : 0;
}

/** Whether its time is an old estimate, or that of the timetable. */
const isAbout = ({ status, staleAt }) => status == 'scheduled' || parse(staleAt) < now();

/** What the time column counts, as the display does: until a person must leave, or until it departs. A kind, and its number. */
function count(departure) {
	const { status, leaveBy } = departure, at = due(departure);
	if (status == 'cancelled') return 'cancelled';
	if (status == 'delayed' || !at) return 'delayed';
	const until = left(departure), leave = parse(leaveBy), walk = at - leave;
	if (until > 864e5) return 'day';
	if (counts() && leave) {
		// At the stop nobody runs.
		if (walk && until < walk) return 'run';
		if (until - walk < 6e4) return 'goNow';
		return until - walk > 36e5 ? 'goAt' : `goIn ${minutes(until - walk)}`;
	}
	return until > 36e5 ? 'time' : counts() ? `minutes ${minutes(until)}` : 'near';
}

const number = value => value > 0 ? [value, h('small', ` ${words.minutes}`)] : words.due;

function drawCount(departure, [kind, value]) {
	const at = due(departure), zone = departure.utcOffsetSeconds, time = at ? clock(at, zone) : '';
	const word = key => h('small.word', words[key]), day = kind == 'day' && local(at, zone);
	const about = isAbout(departure) && h('span.mark', h('span', { 'aria-hidden': true }, '~'), hidden(`${words.roughly} `));
	switch (kind) {
		case 'cancelled': return [h('s', time), word('cancelled')];
		case 'delayed': return [time, word('delayed')];
		case 'day': return [h('small', `${words.dayNames.split(' ')[day.getUTCDay()]} ${day.getUTCDate()} `), time];
		case 'run': return h('span.run', about, words.run);
		case 'goNow': return h('span.go', about, words.goNow);
		case 'goAt': return [word('goAt'), clock(parse(departure.leaveBy), zone)];
		case 'goIn': return [word('goIn'), about, number(value)];
		case 'minutes': return [about, number(value)];
		case 'near': return [about, time];
		default: return time;
	}
}

/** "departs 12:04, 5 min", where the time column says when to leave. */
const departing = departure => timed('span', { dir: 'auto' }, () => counts() && left(departure) <= 36e5 ? `${minutes(left(departure))}` : '',
	within => [text('departs', clock(due(departure), departure.utcOffsetSeconds)), within && [', ', number(within)]]);

/** The next departures of a stop that the board polls, in one line: "73 4 min · 390 7 min". */
export function upcoming(id) {
	const next = () => (live.stops.find(({ stop }) => stop == id)?.departures ?? [])
		.filter(departure => isThere(departure) && departure.isShown !== false && departure.status != 'cancelled' && due(departure))
		.sort((one, other) => due(one) - due(other)).slice(0, 3);
	const within = departure => isCertain() && left(departure) <= 36e5 && minutes(left(departure));
	return timed('p.next', {}, () => next().map(departure => [departure.line, due(departure), within(departure), isAbout(departure)]).join(), () => next().map(departure => {
		const time = within(departure);
		return h('span', h('span.line', bdi(departure.line)), ' ', isAbout(departure) && '~',
			time === false ? clock(due(departure), departure.utcOffsetSeconds) : number(time));
	}));
}

/** The operator's word for a direction; nothing for a number, as in timetables, which says nothing. */
export const directionOf = ({ direction }) => /\p{L}/u.test(direction ?? '') && direction;

function row(departure, letter, isFull, hasSign) {
	const { line, lineColour, mode, trip, scheduled, expected, lateMinutes, platform, vehicle, leaveBy, facts: said } = departure;
	return h('tr', { class: departure.status == 'cancelled' && 'gone' },
		h('td.line', h('span.badge', { style: painted(lineColour) }, hasSign && modes[mode] && sign(...modes[mode]), bdi(line))),
		h('td', h('span.to', bdi(!isFull && departure.shortDestination || departure.destination)), h('p.facts',
			[
				scheduled && expected && (lateMinutes || isFull && scheduled != expected)
					&& `${text('booked', clock(parse(scheduled), departure.utcOffsetSeconds))}${lateMinutes ? `+${lateMinutes}` : ''}`,
				...said,
			].filter(Boolean).map(fact => h('span', { dir: 'auto' }, fact)),
			leaveBy && departing(departure),
			isFull && [
				platform && platform != letter && !said.some(fact => fact.includes(platform)) && text('platform', platform),
				directionOf(departure),
				trip?.via && text('via', trip.via.replace(/^via /, '')),
				trip?.coaches && text('coaches', trip.coaches),
				vehicle && !onPaper() && text('vehicle', vehicle),
				trip?.operator != line && trip?.operator, trip?.reason,
			].filter(Boolean).map(fact => h('span', { dir: 'auto' }, fact)))),
		timed('td.when', {}, () => `${count(departure)} ${isAbout(departure)}`, state => drawCount(departure, state.split(' '))));
}

export function table(departures, name, letter, isFull) {
	const hasSigns = haveModes(departures);
	return departures.length > 0 && h('table', h('caption.hidden', name),
		h('thead.hidden', h('tr', ['line', 'destination', 'time'].map(key => h('th', { scope: 'col' }, words[key])))),
		h('tbody', departures.map(departure => row(departure, letter, isFull, hasSigns))));
}

/** How old the response is, where that is more than two of the board's polls. */
export const age = stop => timed('p.soft', {}, () => {
	const seconds = Math.floor((now() - parse(stop.lastResponseAt)) / 1e3);
	if (!(seconds > 2 * (stop.intervalSeconds ?? 30))) return '';
	return seconds < 120 ? `${seconds} second` : `${Math.floor(seconds / 60)} minute`;
}, state => state && text('updated', duration(...state.split(' '))));

export function notice(stop) {
	const sentence = stop.notice ?? (stop.departures.length || stop.withheld ? null : words.nothing);
	return sentence && h(`p.notice${/failing|frozen/.test(stop.status) ? '.warn' : ''}`, { dir: 'auto' }, sentence);
}

export const legend = departures => timed('p.soft', {}, () => departures().some(isAbout) ? `~ ${words.roughly}` : '', sentence => sentence);

// Alerts.

const severities = ['severe', 'minor', 'information'];

/** When it is valid; nothing if it is not known. */
const period = ({ from, until }) => from && until ? dates(from, until) : from ? text('since', dates(from)) : until && text('untilDate', dates(until));

/** The alerts of a stop that are valid now, in one line, with those that are severe first. `lines`: names by identifiers. */
export function alerts(stop, lines = new Map(stop.departures.map(({ lineID, line }) => [lineID, line]))) {
	const active = () => stop.alerts.filter(({ from, until }) => !(parse(from) > now() || parse(until) <= now()));
	return timed('div', { 'data-key': 'alerts' }, () => active().map(alert => stop.alerts.indexOf(alert)).join(), () => {
		const all = active().sort((one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity));
		return all.length > 0 && h('details',
			h('summary', all[0].severity == 'severe' && '⚠ ', text('alerts', all.length), ' · ', h('span.soft', bdi(all[0].text))),
			h('ul.rows', all.map(alert => h('li', h('p.grow', alert.severity == 'severe' && '⚠ ',
				alert.lines && h('b', `${alert.lines.map(line => lines.get(line) ?? line).join(', ')}: `), bdi(alert.text), facts([period(alert)]))))));
	});
}

// The display.

/** The light parts, the dark ones and the ground of a panel. */
const panels = { characters: ['#f1f5ff', '#2a4cdc', '#1d3fd1'], oled: ['#bfe6ff', null, '#080808'] };
/** In pixels of a dot, and in dots. */
const dotSize = 6, cellHeight = 9, cellWidth = 6, border = 4;

/** Draws the dots of the display that changed, as `boardd render` does. */
function drawDisplay(canvas, { lit, dots: { panel, width, strips } }) {
	const [on, off, ground] = panels[panel], stride = Math.ceil(width / 8), kind = [panel, width, strips.length].join();
	const isSame = canvas.kind == kind, rows = strips.map(strip => atob(strip).length / stride);
	const context = canvas.getContext('2d'), box = (x, y, columns, rows) => context.fillRect(x * dotSize, y * dotSize, columns, rows);
	if (!isSame) {
		canvas.width = (width + 2 * border) * dotSize;
		canvas.height = (rows.reduce((sum, count) => sum + count) + 2 * border) * dotSize;
		context.fillStyle = ground;
		box(0, 0, canvas.width, canvas.height);
	}
	strips.forEach((strip, number) => {
		if (isSame && canvas.strips[number] == strip) return;
		const bytes = atob(strip), top = border + number * rows[0];
		context.fillStyle = ground;
		box(border, top, width * dotSize, rows[number] * dotSize);
		for (let y = 0; y < rows[number]; y++) {
			for (let x = 0; x < width; x++) {
				const isLit = bytes.charCodeAt(y * stride + (x >> 3)) >> 7 - x % 8 & 1;
				if (!isLit && (!off || y == cellHeight - 1 || x % cellWidth == cellWidth - 1)) continue;
				context.fillStyle = isLit ? on : off;
				box(x + border, y + top, dotSize - 1, dotSize - 1);
			}
		}
	});
	canvas.style.opacity = lit ? '' : .35;
	Object.assign(canvas, { kind, strips });
}

/** Whether a press here changes the display next. */
let announces = false;
const spoken = () => live.display.rows.map(row => row.trim()).join('. ');

async function press() {
	announces = true;
	await request('POST', 'press', { gesture: 'short', number: 1 }, { within: 3e3 });
}

async function refresh() {
	await request('POST', 'refresh', null, { within: 3e3 });
	say(words.refreshing);
}

/** A sign beside the picture on a phone, a word elsewhere. */
const tool = (sign, word, run) => button([h('span.sign', { 'aria-hidden': true }, sign), h('span.name', word)], run, { 'aria-label': word, title: word });

async function openControls() {
	board.controls ??= (await load('controls')).controls;
	render();
}

function showDisplay() {
	const box = byID('display');
	box.setAttribute('aria-label', `${live.display.lit ? words.display : words.displayOff}: ${spoken()}`);
	drawDisplay(box.firstChild, live.display);
}

// The screen.

/** The most departures of a stop. */
const rowsOfBoard = 6;
const shown = stop => stop.departures.filter(departure => isThere(departure) && departure.isShown !== false).slice(0, onPaper() ? Infinity : rowsOfBoard);

/** Drawn again when a departure leaves, or another stop has the first of another mode. */
function stopCard(stop) {
	const name = stop.label ?? stop.name;
	return timed('section.card', { 'data-key': stop.stop }, () => `${stop.departures.filter(isThere).length} ${onPaper()} ${isMixed}`, () => [
		h('h2', h('a', { href: stopAddress(stop.stop) }, h('span.to', title(name, stop.letter)))),
		notice(stop), table(shown(stop), name, stop.letter), alerts(stop), age(stop),
	]);
}

const setUp = () => h('a.button.primary', { href: '/setup' }, words.setUp);

export const board = {
	screen: 'board',
	view() {
		isMixed = haveModes([]);
		const faults = Object.values(live.faults);
		return [
			h('header.head', heading(bdi(live.name)), timed('time', {}, () => clock(now()), time => time)),
			/wall|disputed/.test(live.timeSource) && h('p.notice.warn', words.uncertainTime),
			faults.length > 0 && h('p.notice.warn', h('a', { href: '/about' }, words.faults), ' ', bdi(faults.join(' · '))),
			printed(),
			h('div.panes', { 'data-key': 'panes' },
				h('div.top',
					h('div', { id: 'display', role: 'img', 'data-keep': true }, h('canvas')),
					mayEdit && h('div.tools', tool('›', words.next, press), tool('↻', words.refresh, refresh))),
				h('div.cards', live.stops.map(stopCard),
					live.stops.length == 0 && h('div.card', h('p', words.noFavourites), info.setsUp ? setUp() : h('a.button.primary', { href: '/find' }, words.findStop))),
				h('div.more', mayEdit && h('details.card', { ontoggle: action(openControls) }, h('summary', words.lightAndMessage), board.controls?.()),
					live.stops.length > 0 && info.setsUp && setUp(),
					h('a.button', { href: '/about' }, words.share))),
			legend(() => live.stops.flatMap(shown)),
			h('p.soft', [...new Set(live.stops.map(stop => stop.attribution))].join(' · ')),
		];
	},
	drawn: showDisplay,
	/** The display, or one stop. False: more. */
	redraw(kind, id) {
		if (kind == 'display') {
			showDisplay();
			if (announces) say(spoken());
			announces = false;
		} else if (id) {
			isMixed = haveModes([]);
			const card = [...document.querySelectorAll('.cards > section')].find(card => card.dataset.key == id);
			patch(card, stopCard(live.stops.find(({ stop }) => stop == id)));
		} else {
			return kind == 'pages';
		}
		return true;
	},
};
