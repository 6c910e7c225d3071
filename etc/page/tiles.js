// The tiles under the map, from the server in [page] of boardd.toml. Loaded only where one is configured.

import { info } from './live.js';

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
			const href = info.tiles.url.replace('{z}', level).replace('{x}', (x % count + count) % count).replace('{y}', y);
			tiles.append(element('image', { href, x: x * side - left, y: y * side - top, width: side, height: side }));
		}
	}
	picture.querySelector('.ground').after(tiles);
	const name = element('text', { x: width - 4, y: height - 5, 'text-anchor': 'end', 'font-size': 9 });
	name.textContent = info.tiles.attribution || new URL(info.tiles.url).host;
	picture.append(name);
}
