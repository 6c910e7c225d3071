// The settings and stops of the board as a file, in the settings of the set-up.

import { action, button, card, h, say } from './dom.js';
import { answer } from './form.js';
import { live, request, text, words } from './live.js';
import { restore } from './setup.js';
import { after } from './time.js';

/** In bytes: more than any backup has. */
const most = 4e5;

async function save() {
	const content = JSON.stringify(await request('GET', 'backup'), null, '\t');
	const href = URL.createObjectURL(new Blob([content], { type: 'application/json' }));
	h('a', { href, download: `${live.name}.json` }).click();
	after(() => URL.revokeObjectURL(href), 60e3);
}

async function open({ currentTarget: field }) {
	const [file] = field.files;
	const content = file.size < most && await file.text();
	// The same file can be chosen again.
	field.value = '';
	if (!content) throw new Error(words.backupFault);
	if (!await answer(text('restoreAsk', file.name), { yes: [words.replace, 'danger'], '': [words.cancel] })) return;
	let backup;
	try {
		backup = JSON.parse(content);
	} catch {
		throw new Error(words.backupFault);
	}
	await restore(backup);
	say(words.restored);
}

export const backupCard = () => card(words.backup,
	h('p', words.backupHelp),
	h('div', button(words.saveBackup, save)),
	h('div', h('label', { for: 'backup' }, words.openBackup), h('input', { id: 'backup', type: 'file', accept: '.json', onchange: action(open) })));
