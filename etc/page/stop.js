// The screen of a stop: all its departures, its alerts and lines.

import { age, alerts, due, isThere, legend, notice, onPaper, painted, printed, stopAddress, table } from './board.js';
import { bdi, button, card, facts, h, heading, say, timed, title } from './dom.js';
import { isPaired, live, load, mayEdit, request, stopPath, text, words } from './live.js';
import { known, render, star } from './page.js';

const byLine = (one, other) => one.line.localeCompare(other.line, undefined, { numeric: true });

export const stop = {
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
	async show(name) {
		await request('POST', 'show', { page: this.id }, { within: 3e3 });
		say(text('shownOnDisplay', name));
	},
	departures(stop) {
		return (stop?.departures ?? []).filter(isThere).sort((one, other) =>
			this.sort == 'line' && byLine(one, other) || (due(one) || Infinity) - (due(other) || Infinity) || 0);
	},
	/** The form of a favourite. */
	async edit(favourite) {
		this.form ??= await load('form');
		await this.form.toggle(favourite);
	},
	view() {
		const { id, sort } = this, favourite = live.favourites.find(({ stop }) => stop == id), entry = known.get(id), held = this.held(), stop = held ?? this.asked;
		const name = this.title = stop?.label ?? stop?.name ?? entry?.name ?? id, all = this.departures(stop);
		const lines = new Map([...entry?.lines ?? [], ...all.map(({ lineID, line, lineColour }) => ({ id: lineID, name: line, colour: lineColour }))].map(line => [line.id, line]));
		const order = (key, word) => h('a.button', { href: stopAddress(id) + (key && `&sort=${key}`), 'aria-current': key == sort }, word);
		return [
			heading(title(name, stop?.letter ?? entry?.letter)),
			facts([stop?.label && stop.name, entry?.towards && text('towardsOf', entry.towards)]),
			h('div.tools', star(id, name, true),
				favourite && mayEdit && button(words.edit, () => this.edit(favourite), { 'data-edit': id, 'aria-expanded': `${!!this.form?.isOpen(id)}` }),
				h('a.button', { href: `/find?stop=${encodeURIComponent(id)}` }, words.map),
				!held && mayEdit && button(words.showDepartures, () => this.ask())),
			printed(),
			favourite && this.form?.isOpen(id) && h('section.card', { 'data-key': 'form' }, this.form.view(favourite)),
			stop ? notice(stop) : h('p', words.notPolled),
			// The notice says in the language of the page why a request failed.
			[stop?.lastError && !stop.notice && text('unexpected', stop.lastError.detail), stop?.partialFailure && words.incomplete]
				.map(sentence => sentence && h('p.notice.warn', { dir: 'auto' }, sentence)),
			stop && timed('div.cards', {}, () => `${this.departures(stop).length || ''} ${onPaper()}`, state => state[0] != ' ' && h('section.card',
				h('div.tools', { role: 'group', 'aria-label': words.sort }, order('', words.byTime), order('line', words.byLine)),
				table(this.departures(stop), name, stop.letter, true))),
			stop && age(stop),
			stop && alerts(stop, new Map([...lines].map(([id, { name }]) => [id, name]))),
			stop && legend(() => this.departures(stop)),
			held && mayEdit && h('div.tools', button(words.showOnDisplay, () => this.show(name))),
			lines.size > 0 && card(words.linesTitle, h('div.tools', [...lines.values()].map(line => h('a.badge', {
				href: `/line?id=${encodeURIComponent(`${id.split(':')[0]}:${line.id}`)}`, style: painted(line.colour),
			}, bdi(line.name))))),
			stop && h('p.soft', stop.attribution),
		];
	},
	/** Only what is of this stop. */
	redraw(kind, id) { return /display|pages/.test(kind) || !!id && id != this.id; },
};
