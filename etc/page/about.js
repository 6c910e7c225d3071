// The screen About, and the form that pairs this device.

import { action, button, byID, card, facts, h, heading, say } from './dom.js';
import { info, live, mayEdit, pair as begin, request, text, token, words } from './live.js';
import { render } from './page.js';
import { after, moment, now } from './time.js';

/** Reads what this device may do, with the texts of the set-up. In another language the navigation has other words, too. */
export async function readInfo() {
	const { words: all, ...rest } = await request('GET', 'page');
	if (rest.language != document.documentElement.lang) location.reload();
	Object.assign(words, all);
	Object.assign(info, { device: null, tiles: null }, rest);
}

let open;
let { pairing } = history.state ?? {};

/** Opens the form; fails without a message if it is closed. */
export const pair = () => open ??= new Promise(form).finally(() => { open = null; });

const device = () => navigator.userAgent.match(/iPhone|iPad|Android|Mac|Windows|CrOS|Linux/)?.[0];

function form(done, failed) {
	const back = document.activeElement;
	const error = h('p.error', { id: 'pair-error', role: 'status' });
	const code = h('input.code', {
		id: 'code', inputmode: 'numeric', autocomplete: 'one-time-code', autofocus: true, 'aria-describedby': 'pair-help pair-error', oninput: () => typed(),
	});
	const name = h('input', { id: 'device', value: device(), maxlength: 40, autocomplete: 'off' });
	const help = h('p', { id: 'pair-help', hidden: true }, text('pairHelp', info.name));
	const again = button(words.newDigits, async () => {
		error.textContent = '';
		code.value = '';
		try {
			pairing = await request('POST', 'pairings', {}, { pairs: false });
			wrong = null;
			history.replaceState({ pairing }, '');
			again.hidden = true;
			help.hidden = false;
			code.focus();
			typed();
		} catch (refusal) {
			tell(refusal.message, again);
		}
	});
	const tell = (message, field) => {
		error.textContent = message;
		if (field != again) field.ariaInvalid = 'true';
		field.select?.();
		field.focus();
	};
	/** Digits that were wrong; they are not sent again. */
	let wrong;
	const digitsOf = () => code.value.replace(/\D/g, '');
	/** Six digits need no tap. */
	const typed = () => {
		const digits = digitsOf();
		if (pairing && digits.length == 6 && digits != wrong) code.form.requestSubmit();
	};
	const submit = action(async () => {
		const digits = digitsOf();
		if (digits && digits == wrong) return code.select();
		code.ariaInvalid = name.ariaInvalid = null;
		if (!pairing || digits.length != 6) return tell(words.sixDigits, pairing ? code : again);
		try {
			const paired = await request('POST', `pairings/${pairing.id}`, { code: digits, name: name.value.trim() }, { pairs: false });
			pairing = null;
			token.set(paired.token);
			dialog.close('paired');
		} catch (refusal) {
			refuse(refusal);
		}
	});
	const refuse = refusal => {
		if (refusal.status == 404) pairing = null;
		if (refusal.value?.rule == 'wrong') wrong = digitsOf();
		again.hidden = false;
		tell(refusal.message, refusal.value?.tries != 0 && { code, name }[refusal.value?.key] || again);
	};
	// The board hides digits for which no device waits.
	const wait = async () => {
		if (!dialog.isConnected) return;
		const id = pairing?.id;
		if (id) await request('GET', `pairings/${id}`).catch(refusal => refusal.status == 404 && id == pairing?.id && refuse(refusal));
		after(wait, 1e4);
	};
	const dialog = h('dialog', { 'aria-labelledby': 'pair-title' }, h('form.form', { novalidate: true, onsubmit: submit },
		h('h2', { id: 'pair-title' }, words.pair),
		help,
		h('div', h('label', { for: 'device' }, words.deviceName), name),
		h('div', h('label', { for: 'code' }, words.digits), code),
		error,
		h('div.tools', h('button.primary', words.pairNow), again, button(words.cancel, () => dialog.close()))));
	dialog.onclose = () => {
		dialog.remove();
		back?.focus();
		if (dialog.returnValue != 'paired') return failed(new Error(''));
		say(words.paired);
		done();
	};
	document.body.append(dialog);
	dialog.showModal();
	// The button stays: the board may have declined meanwhile.
	if (pairing && Date.parse(pairing.expiresAt) > now()) help.hidden = false;
	else {
		pairing = null;
		again.click();
	}
	wait();
}

/** To the clipboard, which http has only for what is selected; over https to the share sheet. */
async function share() {
	const { address } = info;
	if (navigator.share) return navigator.share({ title: live.name, url: address }).catch(error => { if (error.name != 'AbortError') throw error; });
	const isWritten = await navigator.clipboard?.writeText(address).then(() => true, () => false);
	getSelection().selectAllChildren(byID('address'));
	say(isWritten || document.execCommand('copy') ? words.copied : words.copyYourself);
}

export const shareCard = () => h('div.card', { id: 'share' }, h('h2', words.share), h('div.top',
	h('img', { src: '/v1/page/qr.svg', alt: text('qrCode', info.address), width: 176, height: 176 }),
	h('div.form', h('p', words.shareHelp), list([[words.address, h('strong', { id: 'address' }, info.address)]]),
		h('div', button(navigator.share ? words.share : words.copy, share, { class: 'primary' })))));

const list = entries => h('dl', entries.filter(([, value]) => value).map(([term, value]) => [h('dt', term), h('dd', { dir: 'auto' }, value)]));

export const about = {
	screen: 'about',
	title: words.about,
	async enter() {
		this.state = null;
		this.state = await request('GET', 'state');
		await this.readDevices();
	},
	async readDevices() {
		this.devices = null;
		if (token.get()) {
			this.devices = undefined;
			this.devices = await request('GET', 'devices').catch(error => error.status == 401 ? null : undefined);
			await readInfo();
		}
		render();
	},
	async remove(name) {
		await request('DELETE', `devices/${encodeURIComponent(name)}`);
		if (name == info.device) token.set(null);
		await this.readDevices();
		say(text('removed', name));
		byID('devices')?.focus();
	},
	async changeOwner({ name, isOwner }) {
		this.devices = await request('PATCH', `devices/${encodeURIComponent(name)}`, { isOwner: !isOwner });
		render();
	},
	async pair() {
		await begin();
		await this.readDevices();
		byID('devices')?.focus();
	},
	device(device) {
		const { name, lastUsedAt, isOwner } = device, isOwn = name == info.device;
		return h('li', { 'data-key': name },
			h('div.grow', h('strong', { dir: 'auto' }, name), facts([isOwn && words.thisDevice, isOwner && words.owner]), h('p.soft', text('lastUsed', lastUsedAt)),
				info.isOwner && !isOwn && button(words[isOwner ? 'dropOwner' : 'makeOwner'], () => this.changeOwner(device), { 'aria-label': text(isOwner ? 'dropOwnerOf' : 'makeOwnerOf', name) })),
			button(words.remove, () => this.remove(name), { class: 'danger', 'aria-label': text('removeOf', name) }));
	},
	view() {
		const { state, devices } = this;
		const faults = Object.entries(live.faults);
		return [
			heading(words.about),
			shareCard(),
			(info.isOwner || info.setsUp) && h('div', h('a.button', { href: '/setup' }, info.isOwner ? words.settings : words.setUp)),
			card(words.health,
				faults.length ? faults.map(([key, fault]) => h('p.notice.warn', { dir: 'auto' }, h('b', `${words[key]}: `), fault)) : state && !state.stops.some(stop => stop.lastError || stop.partialFailure) && h('p', `✓ ${words.healthy}`),
				state && list([...state.stops.map(stop => [
					stop.label ?? stop.name, stop.lastError?.detail ?? `${text('departuresCount', stop.departures.filter(it => it.isShown).length)} · ${moment(stop.lastResponseAt)}`,
				])])),
			!mayEdit && h('p.notice', words.readOnly),
			(info.change == 'paired' || token.get()) && h('section.card', h('h2', { id: 'devices', tabindex: -1 }, words.devices),
				devices ? h('ul.rows', devices.map(device => this.device(device)))
					: token.get() && devices === undefined ? h('p', words.loading) : [h('p', words.notPaired), h('div', button(words.pair, () => this.pair(), { class: 'primary' }))]),
			state && card(words.data, list([
				...state.feeds.map(feed => [feed.title, feed.attribution]),
				...state.directory.map(({ feed, stops, completed }) => [text('directoryOf', feed), text('stopsCount', stops, moment(completed))]),
			])),
			card(words.board, list([[words.name, info.name], [words.version, live.version]])),
		];
	},
};
