// Errors of the board as sentences for a person, in the language of the page: the board's own are English.

import { text, words } from './live.js';
import { duration, inWords, secondsOf } from './time.js';

/** By the method, the first part of the path, and the status. */
const byRequest = {
	'POST favourites 404': 'noSuchStop',
	'POST favourites 409': 'alreadyFavourite',
	'PATCH favourites 404': 'notFavourite',
	'DELETE favourites 404': 'notFavourite',
	'POST undo 404': 'noUndo',
	'POST undo 409': 'noUndo',
	'GET stops 404': 'noSuchStop',
	'POST stops 404': 'noSuchStop',
	'GET lines 404': 'noSuchLine',
	'GET pairings 404': 'pairingOver',
	'POST pairings 404': 'pairingOver',
	'POST pairings 409': 'manyDevices',
	'DELETE devices 404': 'noDevice',
	'PATCH devices 404': 'noDevice',
	'PUT settings 409': 'lockedFault',
	'POST setup 409': 'notNow',
	'PUT keys 409': 'lockedFault',
	'DELETE settings 409': 'feedInUse',
};

const byKind = {
	'not-allowed': 'notAllowed',
	'not-paired': 'notPaired',
	'digits-needed': 'sixDigits',
	'no-directory': 'noDirectory',
	'unusable-directory': 'noDirectory',
	'unavailable': 'notNow',
	'unreadable': 'notNow',
};

/** At most so many lines are named. */
const namedLines = 20;

/** About a value that is not allowed: of a field, by its key. */
function ofValue({ key, rule, minimum, maximum, tries, allowed = [] }) {
	switch (`${key} ${rule}`) {
		case 'code wrong': return tries ? text('wrongCode', tries) : words.noTries;
		case 'name length': return text('nameFault', minimum, maximum);
		case 'walk range': {
			// The field has whole minutes.
			const [least, most] = [minimum, maximum].map(bound => secondsOf(bound) / 60);
			return text('walkFault', Math.ceil(least), duration(Math.floor(most), 'minute'));
		}
		case 'lines choice': return text('linesFault', `${allowed.slice(0, namedLines).join(', ')}${allowed[namedLines] ? ', …' : ''}`);
		case 'towards not-found': return words.towardsFault;
		case 'towards format': return words.towardsFormat;
		case 'when format': return words.whenFault;
		case 'value format': return words.keyFault;
		case 'value wrong': return words.keyRejected;
	}
	return rule == 'length' ? text('lengthFault', minimum, maximum) : words.valueFault;
}

/** The sentence about an answer; `wait`: the seconds after which another try may succeed. */
export function sentence(method, path, status, { kind, value, faults, message }, wait) {
	if (`${method} ${path}` == 'PUT backup' && /400|413|422/.test(status)) return words.backupFault;
	const [, part] = path.match(/(undo|revert)$/) ? [, 'undo'] : path.match(/^(\w+)/);
	if (value) return ofValue(value);
	if (faults?.length) return words.faultyFile;
	if (kind == 'rate-limited') return text(part == 'pairings' ? 'pairingPaused' : 'manyRequests', null, inWords(wait));
	const request = `${method} ${part} ${status}`;
	// Who may look at the set-up may change it, unless a file cannot be written.
	if (request == 'GET setup 403') return words.noOwner;
	const known = kind && (byKind[kind] ?? byRequest[request]);
	if (known) return words[known];
	return message ? text('unexpected', message) : `${words.unreachable} (${status})`;
}
