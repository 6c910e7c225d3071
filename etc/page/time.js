// The board's time, carried on by clocks of this device that nobody sets.

/** `wall` and `steady` in milliseconds; `steady` is never set, and may stand while the device sleeps. A test has its own. */
export const { wall, steady, after, every } = window.time ?? { wall: Date.now, steady: () => performance.now(), after: setTimeout, every: setInterval };

export const { parse } = Date;
/** The board's time at `mark` of the steady clock, its UTC offset in seconds, and what the clocks differed by then. */
let base = wall(), zone = 0, mark = 0, begun = wall() - steady();

/** Sets the board's time: as it was when the steady clock was at `at`. */
export function setTime(time, offset, at = steady()) {
	[base, zone, mark, begun] = [parse(time), offset, at, wall() - steady()];
}

/** How long the steady clock stood since the time was set: in sleep, or as the other clock was set. */
export const slept = () => Math.max(0, wall() - begun - steady());
export const now = () => base + steady() - mark + slept();
/** The board's time when the steady clock was at `at`. */
export const timeAt = at => base + at - mark;

/** Local time in the fields of UTC. */
export const local = (at, offset = zone) => new Date(at + 1e3 * offset);
export const clock = (at, offset) => local(at, offset).toISOString().slice(11, 16);
/** "2026-11-23 12:04" */
export const moment = time => time ? local(parse(time)).toISOString().slice(0, 16).replace('T', ' ') : '–';

const lang = document.documentElement.lang;
const [thisYear, anyYear] = [undefined, 'numeric'].map(year => new Intl.DateTimeFormat(lang, { day: 'numeric', month: 'short', year, timeZone: 'UTC' }));
/** "1 Dec", or "1 – 14 Dec" of two; with the year where it is another. */
export function dates(...times) {
	const days = times.map(time => local(parse(time)));
	const format = days.every(day => day.getUTCFullYear() == local(now()).getUTCFullYear()) ? thisYear : anyYear;
	return days.length > 1 ? format.formatRange(...days) : format.format(...days);
}
const longDate = new Intl.DateTimeFormat(lang, { dateStyle: 'full', timeZone: 'UTC' });
/** "Tuesday, December 1, 2026" */
export const today = () => longDate.format(local(now()));
const numbers = {};
/** "5 minutes": of a unit that Intl knows. */
export const duration = (value, unit) =>
	(numbers[unit] ??= new Intl.NumberFormat(lang, { style: 'unit', unit, unitDisplay: 'long' })).format(value);

/** "90s", "5m" or "2h", as the board writes durations. */
export const secondsOf = written => parseFloat(written) * ({ s: 1, h: 3600 }[written.at(-1)] ?? 60);
/** "1 hour 5 minutes": of seconds. */
export const inWords = seconds => [[seconds / 3600, 'hour'], [seconds / 60 % 60, 'minute'], [seconds % 60, 'second']]
	.map(([value, unit]) => [Math.floor(value), unit]).filter(([value], index) => value || index == 2 && !seconds)
	.map(([value, unit]) => duration(value, unit)).join(' ');
