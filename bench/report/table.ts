/** The results as Markdown. */
import type { Chapter, Row } from '../lib/chapter';
import type { Spread } from '../lib/samples';
import type { Facts } from './environment';
import type { PartResults } from './results';

const HEAD = `# Measured speed

Written by \`npm run bench\`; how to repeat it is in [bench/README.md](../README.md). Times are medians, with the lowest and the highest value; ratios are taken round by round. Memory is the peak of what was resident in the process that did the work, processor time that of all its threads; where other work keeps the machine busy it holds steadier than the time.
`;

export function renderMarkdown(parts: PartResults[], charts: string[]): string {
	const usual = usualFacts(parts.map(({ facts }) => facts));
	return [
		HEAD,
		table(['', ''], Object.entries(usual)),
		'## What has to be reached',
		summary(parts.flatMap(({ chapters }) => chapters)),
		...charts.map((file) => `![${file.replace(/\.svg$/, '')}](${file})`),
		...parts.flatMap(({ facts, chapters }) =>
			chapters.map((chapter) => renderChapter(chapter, otherFacts(facts, usual))),
		),
	]
		.join('\n\n')
		.replace(/\n{3,}/g, '\n\n')
		.concat('\n');
}

/** What holds for most parts; a part for which something else holds says so itself. */
function usualFacts(all: Facts[]): Facts {
	const names = [...new Set(all.flatMap((facts) => Object.keys(facts)))];
	return Object.fromEntries(
		names.map((name) => {
			const values = all.map((facts) => facts[name]);
			const count = (value: string) => values.filter((other) => other === value).length;
			return [name, values.reduce((best, value) => (count(value) > count(best) ? value : best))];
		}),
	);
}

function otherFacts(facts: Facts, usual: Facts): Facts {
	return Object.fromEntries(Object.entries(facts).filter(([name, value]) => value !== usual[name]));
}

function summary(chapters: Chapter[]): string {
	return table(
		['what', 'target', 'reached', ''],
		chapters.flatMap(({ title, checks }) =>
			checks.map(({ target, reached, met }) => [
				title,
				target,
				reached,
				met ? 'met' : '**missed**',
			]),
		),
	);
}

function renderChapter({ title, how, rows, remarks }: Chapter, facts: Facts): string {
	const withMemory = rows.some(({ peak }) => peak);
	const withTime = rows.some(({ time }) => time);
	const withCpu = rows.some(({ cpu }) => cpu);
	const heads = [
		'side',
		...(withTime ? ['time'] : []),
		...(withCpu ? ['processor time'] : []),
		...(withMemory ? ['peak memory'] : []),
		'',
	];
	const cells = ({ side, time, cpu, peak, note }: Row) => [
		side,
		...(withTime ? [time ? duration(time) : ''] : []),
		...(withCpu ? [cpu ? duration(cpu) : ''] : []),
		...(withMemory ? [peak ? mebibytes(peak) : ''] : []),
		note ?? '',
	];
	const measured = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
	return [
		`## ${title}`,
		how,
		table(heads, rows.map(cells)),
		...(remarks ?? []),
		...(measured.length > 0 ? [`<sub>${measured.join(' · ')}</sub>`] : []),
	].join('\n\n');
}

/** A Markdown table. */
export function table(heads: string[], rows: string[][]): string {
	const line = (cells: string[]) => `| ${cells.map(escaped).join(' | ')} |`;
	return [line(heads), line(heads.map(() => '---')), ...rows.map(line)].join('\n');
}

function escaped(cell: string): string {
	return cell.replaceAll('|', '\\|').replace(/\s+/g, ' ');
}

function duration({ median, low, high }: Spread): string {
	const unit = median >= 1_000 ? { divisor: 1_000, name: 's', digits: 2 } : milliseconds(median);
	const show = (value: number) => (value / unit.divisor).toFixed(unit.digits);
	const range = low === high ? '' : ` (${show(low)}–${show(high)})`;
	return `${show(median)} ${unit.name}${range}`;
}

function milliseconds(median: number) {
	return { divisor: 1, name: 'ms', digits: median >= 100 ? 0 : 1 };
}

function mebibytes({ median, low, high }: Spread): string {
	const show = (value: number) => Math.round(value / 2 ** 20).toLocaleString('en');
	const range = show(low) === show(high) ? '' : ` (${show(low)}–${show(high)})`;
	return `${show(median)} MiB${range}`;
}
