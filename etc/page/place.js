// The step of the set-up that finds the operators of a place, and the list of stops that loads for one of them.

import { action, bdi, button, byID, facts, h, say } from './dom.js';
import { find, here, place } from './find.js';
import { load, request, text, words } from './live.js';
import { written } from './map.js';
import { render } from './page.js';
import { checked, fault, feeds, field, isKeySet, onward, put, remove, setKey, setup, titleOf, tools } from './setup.js';
import { after } from './time.js';

/** What is searched for, the place if it is one, what was found, and the proposal that is chosen. */
let query, near, found, chosen;
export const forget = () => { query = near = found = chosen = null; };

const isEncrypted = location.protocol == 'https:';
export const keyField = (id, title, more, source) => field(id, text('keyOf', title), '', [!isEncrypted && words.unencrypted, source], more);

/** Where to get a key: a name, or an address, of which the host is shown. */
const hostOf = source => source.match(/^https?:\/\/([^/]+)/)?.[1] ?? source;
const link = source => /^https?:/.test(source) && [' ', h('a', { href: source, target: '_blank', rel: 'noreferrer' }, hostOf(source))];

async function search(typed) {
	say('');
	const position = place(typed);
	if (!position && /^https?:/.test(typed)) throw new Error(words.noCoordinates);
	forget();
	query = typed;
	near = position;
	render();
	found = await request('GET', `places?${new URLSearchParams({ query: near?.join() ?? typed })}`);
	render();
}

async function choose(proposal) {
	chosen = proposal;
	setup.fault = null;
	if (!proposal.needsContact && !proposal.key) return use(proposal);
	render();
	(byID('contact') ?? byID('key')).focus();
}

async function use({ feed, city, key }, { contact, key: typed } = {}) {
	if (city) await put(`feed.${feed}`, { city });
	if (contact) await put(`feed.${feed}`, { contact: contact.value.trim() });
	if (typed?.value) await setKey(key, typed.value.trim());
	await loadList(feed);
	const position = near;
	forget();
	await onward('place', position);
}

const copy = ({ copied, quality }) => copied ? text('copyOf', copied) : /dated|frozen/.test(quality) && words.mayEnd;

/** A feed in a sentence; once it is chosen with the fields that it needs. */
function proposal(one, index) {
	const { feed, title, key, keySource = title, needsContact } = one, lacksKey = key && !isKeySet(key);
	return h('section.card', { 'data-key': feed },
		h('h2', bdi(title)),
		facts([
			one.place, one.isLive ? words.liveTimes : words.timetableOnly, one.isWholeCountry && words.wholeCountry, copy(one),
			lacksKey && text('needsKey', hostOf(keySource)), needsContact && words.needsContact,
		]),
		one == chosen && (needsContact || key)
			? h('form.form', { onsubmit: checked(elements => use(one, elements)) },
				needsContact && field('contact', words.contactKey, '', words.contactHelp, { inputmode: 'email' }),
				key && keyField('key', title, { required: lacksKey, placeholder: lacksKey ? null : words.isSet }, link(keySource)),
				fault(),
				h('div', h('button.primary', words.onward)))
			: h('div', button(words.choose, () => choose(one), { class: index ? null : 'primary', 'aria-label': text('chooseOf', title) })));
}

const inUse = ({ name, lockedBy, values }) => h('li', { 'data-key': name },
	h('div.grow', h('strong', bdi(titleOf(name))), facts([values[0]?.contact, lockedBy && text('lockedBy', lockedBy)])),
	!lockedBy && button(words.remove, () => remove(name), { class: 'danger', 'aria-label': text('removeOf', titleOf(name)) }));

export const placeStep = () => [
	h('form.form', { role: 'search', onsubmit: action(() => search(byID('place').value.trim())) },
		h('label', { for: 'place' }, words.placeLabel),
		h('div.bar', h('input', { id: 'place', type: 'search', enterkeyhint: 'search', autocomplete: 'off', required: true }), h('button.primary', words.search)),
		isSecureContext && h('div', button(words.nearMe, async () => search(written(await here()))))),
	found?.length == 0 && h('p', { role: 'status' }, text('noPlace', query)),
	found?.map(proposal),
	!query && feeds().length > 0 && h('ul.rows', feeds().map(inUse)),
	tools('place'),
];

// The list of an operator's stops, which loads meanwhile.

/** In milliseconds, between two looks at it. */
const pause = 2e3;
/** The feed whose list loads, the state of its update, and why it failed. */
let list = null;

async function loadList(feed) {
	if ((await request('GET', 'directory')).some(one => one.feed == feed && one.stops)) return;
	try {
		await request('POST', `directory/update?feed=${feed}`);
	} catch (error) {
		// The operator has no list, and searches itself.
		if (error.status == 404) return;
		throw error;
	}
	if (list?.feed != feed) watch(list = { feed });
}

/** Reads how far it is, until it is there or another one is awaited. */
async function watch(own) {
	do {
		const all = await request('GET', 'directory').catch(() => null);
		own.update = all?.find(({ feed }) => feed == own.feed)?.update ?? own.update;
		render();
		await new Promise(done => after(done, pause));
	} while (list == own && (!own.update || own.update.state == 'running'));
	if (list != own) return;
	const { state, errorKind, error } = own.update;
	if (state == 'failed') own.fault = (await load('errors')).sentence('GET', 'directory', 503, { kind: errorKind, message: error });
	else {
		list = null;
		// Who was faster than the list.
		const { typed, map } = find, chart = byID('map');
		if (byID('query') && typed) find.suggest(typed);
		else if (byID('query') && chart) {
			chart.shown = null;
			find.show(map.near, map.scale);
		}
	}
	render();
}

export const isLoading = () => !!list && !list.fault;

function loadAgain() {
	const { feed } = list;
	list = null;
	return loadList(feed);
}

export const progress = () => list && (list.fault
	? h('div.notice.warn', { role: 'alert' }, h('p', list.fault), button(words.tryAgain, loadAgain))
	: h('p.notice', { role: 'status' }, text('listLoading', list.update?.fraction == null ? '…' : `${Math.round(100 * list.update.fraction)} %`)));
