// The screens: which one is open, when it is drawn, the favourites' stars.

import { board } from './board.js';
import { action, bdi, button, byID, h, heading, patch, say, tick, timed } from './dom.js';
import { begin, change, check, favouritePath, info, isCertain, isPolling, live, load, lostAt, lostFor, mayEdit, pair, text, undo, words } from './live.js';
import { after, clock, every, steady, timeAt } from './time.js';

const main = byID('main');

/** Stops that searches found, by their identifier. */
export const known = new Map();

export function star(stop, name, isLong) {
	const is = !!live?.favourites.some(favourite => favourite.stop == stop);
	return mayEdit && button([h('span', { 'aria-hidden': true }, is ? '★' : '☆'), isLong && words.favourite], async () => {
		await (is ? change('DELETE', favouritePath(stop)) : change('POST', 'favourites', { stop }));
		say(text(is ? 'removed' : 'added', name), true);
	}, { class: isLong ? null : 'star', 'aria-pressed': `${is}`, 'aria-label': isLong ? null : text('starOf', name) });
}

/** What a device sees that may not look. */
const closed = () => [heading(bdi(info.name)), h('p', words.onlyPaired), h('div', button(words.pair, pair, { class: 'primary' }))];

/** What is wrong with the connection. Always there: forms behind it keep their input. */
const connection = () => timed('div', {}, () => lostFor() > 5e3 ? `${lostAt}` : isPolling ? 'polls' : '', state =>
	state && h(`p.notice${state == 'polls' ? '' : '.warn'}`, state == 'polls' ? words.manyPages : text('offline', clock(timeAt(Number(state))))));

/** The files of the screens; the first has it, and the others are loaded with it. */
const files = { stop: ['stop'], find: ['find', 'map'], line: ['find', 'map'], favourites: ['favourites', 'form'], about: ['about'], setup: ['setup'], kiosk: ['kiosk'] };
let screen, place, address;

/** The form that is open: whether leaving loses something, the question whether to leave, and its end. */
let form = null;
export const guard = open => { form = open; };

/** What leads through the screens: its `view` above them, and `saved` after the form. */
export let lead = null;
export const guide = next => { lead = next; };

const placeOf = ({ pathname, search }) => pathname + (new URLSearchParams(search).get('id') ?? '');
const loses = to => form?.isChanged() && placeOf(to) != place;

export function render() {
	if (!screen || document.querySelector('.drag')) return;
	const focused = document.activeElement;
	patch(main, h('main', { id: 'main', tabindex: -1, class: screen == board ? 'wide' : null }, live ? [connection(), lead?.view(), screen.view()] : closed()));
	if (live) screen.drawn?.();
	if (focused != document.activeElement && main.contains(focused)) focused.focus({ preventScroll: true });
	document.title = [screen.title, live?.name ?? info.name].filter(Boolean).join(' – ');
}

/** Draws what an event changed; a device that may look only now opens its screen. */
function redraw(kind, stop) {
	if (kind == 'first') return route();
	assure();
	if (!screen) return;
	mark();
	const isDone = kind == 'connection' ? tick() ?? true
		: live && (screen.redraw?.(kind, stop) ?? /^(display|pages|stop|departures)$/.test(kind));
	if (!isDone) render();
}

async function route() {
	const { pathname, search, href } = location, scroll = history.state?.scroll;
	const last = screen, name = pathname.slice(1), query = new URLSearchParams(search), before = place;
	[place, address] = [placeOf(location), href];
	if (before != place) form?.drop();
	let next = board;
	document.documentElement.classList.toggle('bare', name == 'kiosk');
	try {
		if (files[name]) next = (await Promise.all(files[name].map(load)))[0][name];
	} catch {
		// Nobody is there to try again.
		if (name == 'kiosk') after(() => location.reload(), 10e3);
		return say(words.unreachable);
	}
	// Another screen was opened.
	if (href != location.href) return;
	screen = next;
	for (const link of document.querySelectorAll('nav a')) link.ariaCurrent = link.dataset.screen == screen.screen ? 'page' : null;
	if (last != screen) main.replaceChildren();
	const task = live && screen.enter?.(query, scroll != null);
	render();
	if (last && before != place) {
		scrollTo(0, scroll ?? 0);
		(screen.first?.() ?? main.querySelector('h1')).focus({ preventScroll: true });
	}
	await task?.catch(error => href == location.href && say(error.message));
}

export async function go(to) {
	say('');
	if (loses(new URL(to, location)) && !await form.ask()) return;
	// For the way back.
	history.replaceState({ ...history.state, scroll: scrollY }, '');
	history.pushState(null, '', to);
	return route();
}

/** Hides the picture of the display where it is old. */
const mark = () => document.documentElement.classList.toggle('uncertain', !isCertain());

/** Back and forward. The form stays open while it asks. */
async function went() {
	say('');
	if (!loses(location)) return route();
	history.pushState(null, '', address);
	if (await form.ask()) history.back();
}

/** Starts the animation anew after whose end the page says that it has stopped. */
let assured = 0;
function assure() {
	if (steady() < assured + 5e3) return;
	assured = steady();
	byID('stopped').classList.toggle('again');
}

document.documentElement.classList.add('js');
byID('undo').onclick = action(undo);
onpopstate = went;
addEventListener('click', event => {
	const link = event.target.closest('a[href^="/"]');
	if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey) return;
	event.preventDefault();
	go(link.getAttribute('href'));
});
route();
begin(redraw);
every(() => {
	check();
	mark();
	if (!document.hidden) tick();
	assure();
}, 1e3);
