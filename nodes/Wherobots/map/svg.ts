import { INK, type Path, type Scene, type Text } from './scene';

/** A scene as a self-contained SVG document, without scripts, style sheets or fonts. */
export function toSvg({ width, height, shapes }: Scene): string {
	const drawn = shapes.map((shape) => ('text' in shape ? text(shape) : path(shape)));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="sans-serif" fill="none" stroke-linecap="round" stroke-linejoin="round" fill-rule="evenodd">`,
		...drawn,
		'</svg>',
		'',
	].join('\n');
}

/** A page with the map, for any browser. It runs no scripts and loads nothing. */
export function toPage(title: string, svg: string): string {
	return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width">
<title>${escaped(title)}</title>
<style>body { margin: 1rem; } svg { max-width: 100%; height: auto; }</style>
${svg}</html>
`;
}

function path({ rings, title = '', ...look }: Path): string {
	const d = rings.map((ring) => {
		const points = ring.map(([x, y]) => `${tenths(x)} ${tenths(y)}`).join('L');
		return `M${points}${ring.length === 1 ? 'h0' : look.fill ? 'Z' : ''}`;
	});
	const attributes = Object.entries(look).map(([name, value]) => ` ${name}="${value}"`);
	return `<path d="${d.join('')}"${attributes.join('')}><title>${escaped(title)}</title></path>`;
}

/** A tenth of a unit is a fifth of a pixel. */
function tenths(value: number): number {
	return Math.round(value * 10) / 10;
}

function text({ at: [x, y], text: words, size, anchor }: Text): string {
	return `<text x="${tenths(x)}" y="${tenths(y)}" font-size="${size}" text-anchor="${anchor}" fill="${INK}">${escaped(words)}</text>`;
}

/** Text as XML, without the control characters that XML does not allow. */
function escaped(words: string): string {
	return words
		.replace(/[^\t\n\r\P{Cc}]|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
