// The kiosk: the departures and the clock alone, for a tablet on the wall.

import { isThere, notice, table } from './board.js';
import { bdi, byID, h, heading, tick, timed, title } from './dom.js';
import { info, live, words } from './live.js';
import { clock, now } from './time.js';

/** The height of a row in pixels, as page.css has it, and the rows that fit below the clock and notices. */
const rowHeight = () => 1.7 * Math.min(.055 * innerHeight, .042 * innerWidth);
const rows = () => Math.floor((byID('stops')?.clientHeight ?? 0) / rowHeight());
/** The stops that fit at once: the name of each is a row, and it has at least two departures. */
const stopsAtOnce = () => Math.max(1, Math.floor(rows() / 3));
/** How long they stay, in milliseconds, if there are more. */
const turn = 10e3;

function shown() {
	const count = stopsAtOnce(), first = Math.floor(now() / turn) % Math.ceil(live.stops.length / count) * count;
	return live.stops.slice(first, first + count);
}

function stopCard(stop, _, { length }) {
	const departures = stop.departures.filter(departure => isThere(departure) && departure.isShown !== false);
	const name = stop.label ?? stop.name;
	return h('section', { 'data-key': stop.stop }, h('h2', title(name, stop.letter)), notice(stop),
		table(departures.slice(0, Math.max(1, Math.floor(rows() / length) - 1)), name, stop.letter));
}

/** Only over https. The browser ends it while the page is hidden. */
async function stayAwake() {
	if (!document.hidden) await navigator.wakeLock?.request('screen').catch(() => { });
}

document.addEventListener('visibilitychange', stayAwake);
stayAwake();

export const kiosk = {
	view() {
		return [
			h('header.head', heading(bdi(live.name)), timed('time', {}, () => clock(now()), time => time)),
			/wall|disputed/.test(live.timeSource) && h('p.notice.warn', words.uncertainTime),
			live.stops.length == 0 && h('p', words.noFavourites),
			timed('div', { id: 'stops' }, () => `${rows()} ${shown().map(({ stop, departures }) => [stop, departures.filter(isThere).length])}`,
				() => shown().map(stopCard)),
		];
	},
	/** Once more, when the height of the place is known. */
	drawn: tick,
	redraw(kind) {
		// The board was updated.
		if (live.version != info.version) location.reload();
		return /display|pages|favourites/.test(kind);
	},
};
