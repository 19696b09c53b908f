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

function path({ rings, title, fill, opacity, stroke, width }: Path): string {
	const d = rings.map((ring) => {
		const end = ring.length === 1 ? 'h0' : fill ? 'Z' : '';
		return `M${ring.map(([x, y]) => `${x} ${y}`).join('L')}${end}`;
	});
	const attributes = { fill, 'fill-opacity': opacity, stroke, 'stroke-width': width };
	const written = Object.entries({ d: d.join(''), ...attributes }).map(([name, value]) =>
		value === undefined ? '' : ` ${name}="${value}"`,
	);
	const inner = title ? `><title>${escaped(title)}</title></path>` : '/>';
	return `<path${written.join('')}${inner}`;
}

function text({ at: [x, y], text: words, size, anchor }: Text): string {
	return `<text x="${x}" y="${y}" font-size="${size}" text-anchor="${anchor}" fill="${INK}">${escaped(words)}</text>`;
}

/** Text as XML, without the control characters that XML does not allow. */
function escaped(words: string): string {
	return words
		.replace(/[^\t\n\r\P{Cc}]|\p{Cs}|[\uFFFE\uFFFF]/gu, '')
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
