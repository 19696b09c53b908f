import type { Path, Scene, Text } from './scene';

/** A scene as a self-contained SVG document, without scripts, style sheets or fonts. */
export function toSvg({ width, height, shapes }: Scene): string {
	const drawn = shapes.map((shape) => (shape.kind === 'path' ? path(shape) : text(shape)));
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

function path({ rings, fill, opacity, stroke, width, title }: Path): string {
	const closing = fill ? 'Z' : '';
	const d = rings.map(
		(ring) =>
			`M${ring.map(([x, y]) => `${x} ${y}`).join('L')}${ring.length === 1 ? 'h0' : closing}`,
	);
	const attributes = Object.entries({
		d: d.join(''),
		fill,
		'fill-opacity': opacity,
		stroke,
		'stroke-width': width,
	}).map(([name, value]) => (value === undefined ? '' : ` ${name}="${value}"`));
	const inner = title ? `><title>${escaped(title)}</title></path>` : '/>';
	return `<path${attributes.join('')}${inner}`;
}

function text({ at: [x, y], text: words, size, anchor, color }: Text): string {
	return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${color}">${escaped(words)}</text>`;
}

/** Text as XML, without the control characters that XML does not allow. */
function escaped(words: string): string {
	return words
		.replace(/[^\t\n\r\P{Cc}]|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
