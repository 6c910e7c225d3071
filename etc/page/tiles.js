// The streets under the map: tiles of the server in [page] of boardd.toml. Loaded only where one is configured.

import { button, h } from './dom.js';
import { info, stored, text, words } from './live.js';

const { name, url, attribution, terms } = info.tiles;
/** Of another server a person is asked anew. */
const key = `boardd-streets ${name}`;

/** Whether this device's person has agreed that it requests them. */
export const isShown = () => stored.get(key) == 'yes';

const choose = (response, word, redraw, more) => button(word, () => {
	stored.set(key, response);
	redraw();
}, more);

/** Asks once, above the map. */
export const question = redraw => !stored.get(key) && h('div.notice.form', { 'data-key': 'ask' }, h('p', text('streetsAsk', name)),
	h('div.tools', choose('yes', words.streetsShow, redraw), choose('no', words.streetsHide, redraw)));

/** A button that changes the response, below the map. */
export const choice = redraw => stored.get(key) && h('div', { 'data-key': 'streets' },
	choose(isShown() ? 'no' : 'yes', words.streets, redraw, { 'aria-pressed': `${isShown()}` }));

/** The circumference of the Earth in metres, on the sphere of the map. */
const earth = 2 * Math.PI * 6371008.8;

const element = (name, values) => {
	const made = document.createElementNS('http://www.w3.org/2000/svg', name);
	for (const [key, value] of Object.entries(values)) made.setAttribute(key, value);
	return made;
};

/** Puts the tiles into the map's picture, above its ground, and their attribution below. */
export function draw(picture, [latitude, longitude], scale) {
	const angle = latitude * Math.PI / 180;
	const { width, height } = picture.viewBox.baseVal;
	// In pixels of the picture: the world, and a tile of the zoom level whose tiles have about 256.
	const world = earth * Math.cos(angle) / scale;
	const level = Math.max(0, Math.min(19, Math.round(Math.log2(world / 256))));
	const count = 2 ** level, side = world / count;
	const left = (longitude + 180) / 360 * world - width / 2;
	const top = (1 - Math.asinh(Math.tan(angle)) / Math.PI) / 2 * world - height / 2;
	const tiles = element('g', { class: 'tiles', 'aria-hidden': true });
	for (let y = Math.max(0, Math.floor(top / side)); y < count && y * side < top + height; y++) {
		for (let x = Math.floor(left / side); x * side < left + width; x++) {
			const href = url.replace('{z}', level).replace('{x}', (x % count + count) % count).replace('{y}', y);
			const tile = element('image', { href, x: x * side - left, y: y * side - top, width: side, height: side });
			// Not the browser's picture of a fault, as large as a tile.
			tile.onerror = () => tile.setAttribute('visibility', 'hidden');
			tiles.append(tile);
		}
	}
	picture.querySelector('.ground').after(tiles);
	const credit = element('text', { class: 'credit', x: width - 4, y: height - 5, 'text-anchor': 'end', 'font-size': 9 });
	credit.textContent = attribution || name;
	if (!terms) return picture.append(credit);
	const link = element('a', { href: terms, target: '_blank', rel: 'noreferrer' });
	// High enough for a finger.
	link.append(element('rect', { x: width - 150, y: height - 24, width: 150, height: 24, fill: 'none', 'pointer-events': 'all' }), credit);
	picture.append(link);
}
