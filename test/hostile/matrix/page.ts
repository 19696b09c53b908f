/** The page that tells people what the matrix has found: docs/reliability.md. */
import type { MatrixFault } from './faults';
import type { Verdict } from './judge';

/** What the page says of a cell. */
export interface PageCell {
	/** The name of the operation or event. */
	subject: string;
	kind: Kind;
	/** The name of the fault. */
	fault: string;
	verdict: Verdict;
}

/** Operations that are alike. */
export type Kind = 'creates' | 'changes' | 'reads' | 'files' | 'waits' | 'further' | 'trigger';

const HEADS: Record<Kind, string> = {
	reads: 'Reads',
	files: 'Files',
	changes: 'Changes',
	creates: 'Creates',
	waits: 'Waits',
	further: 'Further requests',
	trigger: 'Trigger',
};

const MEANS: Record<Kind, string> = {
	reads: 'the request of an operation that reads records',
	files: 'the request of an operation that gives a file',
	changes: 'the request of an operation that changes, deletes, cancels or verifies something',
	creates: 'the request of an operation that creates something, and is never sent twice',
	waits: 'the requests of an operation that waits, here for up to a minute',
	further:
		'what operations ask beside it: the run that was cancelled, the list that tells an ID, whose credential it is',
	trigger: 'any request of a poll, or of the activation',
};

const WORDS: Record<Verdict, string> = {
	result: 'result',
	retried: 'retried, result',
	found: 'found again, result',
	data: 'what came',
	error: 'error',
	gaveUp: 'retried, error',
	unclear: 'error, says what to look for',
	late: 'told, nothing lost',
	missed: 'events missed',
};

const LEGEND: Array<[string, string]> = [
	['result', 'the result is the one that there would have been without the fault'],
	['retried, result', 'the request was repeated, and then gave that result'],
	[
		'found again, result',
		'the response to a creation was lost; the node found what it had created and went on with it',
	],
	['what came', 'the output holds what the service sent, odd as it is'],
	['error', 'the node fails at once with one error that names the cause and what to do'],
	[
		'retried, error',
		'the same after repeating the request, at most five times within a minute, more often after 429',
	],
	[
		'error, says what to look for',
		'it is uncertain whether something was created; nothing is sent again, and the error says what to look for',
	],
	['nothing lost', 'every event came once; nobody was bothered'],
	['told, nothing lost', 'n8n was told of the failure; afterwards every event came once'],
	[
		'events missed',
		'a first poll takes the time of the service for the beginning, and events that bear an earlier time for old ones; so it is when that time is wrong at this one moment',
	],
	['–', 'not tried: the fault does not apply, or others of its kind stand for it'],
];

/** The words for a cell; the trigger has some of its own. */
function wordsFor(kind: Kind, verdict: Verdict): string {
	return kind === 'trigger' && verdict === 'result' ? 'nothing lost' : WORDS[verdict];
}

/** `Cloud Connection: Get Create Link (3)` is one operation with others of its name. */
const nameOf = ({ subject }: PageCell) => subject.replace(/ \(\d+\)$|^Trigger: /g, '');

/** What most say, and below it what is different where. */
function summary(kind: Kind, cells: PageCell[]): string {
	if (cells.length === 0) return '–';
	const by = new Map<string, Set<string>>();
	for (const cell of cells) {
		const words = wordsFor(kind, cell.verdict);
		by.set(words, (by.get(words) ?? new Set()).add(nameOf(cell)));
	}
	const [[most], ...others] = [...by].sort(
		([a, these], [b, those]) => those.size - these.size || a.localeCompare(b),
	);
	return [most, ...others.map(([words, names]) => exception(words, [...names].sort()))].join(
		'<br>',
	);
}

function exception(words: string, names: string[]): string {
	return `*${names.length > 3 ? `${names.length} others` : names.join(' · ')}: ${words}*`;
}

/** The page, for cells in any order. */
export function pageOf(faults: MatrixFault[], cells: PageCell[]): string {
	const kinds = Object.keys(HEADS) as Kind[];
	const members = new Map<Kind, Set<string>>(kinds.map((kind) => [kind, new Set()]));
	for (const cell of cells) members.get(cell.kind)?.add(nameOf(cell));
	const used = kinds.filter((kind) => members.get(kind)?.size);
	// Faults of a group that come to the same share a row.
	const rows = new Map<string, { group: string; names: string[]; columns: string }>();
	for (const { group, name } of faults) {
		const own = cells.filter((cell) => cell.fault === name);
		const columns = used
			.map((kind) =>
				summary(
					kind,
					own.filter((cell) => cell.kind === kind),
				),
			)
			.join(' | ');
		const row = rows.get(group + columns) ?? { group, names: [], columns };
		row.names.push(name);
		rows.set(group + columns, row);
	}
	return [
		'# Reliability',
		'',
		'Find what the service did in the first column and the kind of operation in the first row: the cell says what the node makes of it, in [these words](#words). Whatever happens, nothing waits for ever, no job run is submitted twice, no short file passes for whole, and no key or token appears in an output, an error or the log. One thing cannot be noticed: a template that is cut although HTTP says that it is whole.',
		'',
		`| The response | ${used.map((kind) => HEADS[kind]).join(' | ')} |`,
		`|${' --- |'.repeat(used.length + 1)}`,
		...[...rows.values()].map(
			({ group, names, columns }) => `| **${group}:** ${names.join(' · ')} | ${columns} |`,
		),
		'',
		'## Rows and columns',
		'',
		'A row is a fault, or several that come to the same, with · between them. A fault hits every request of the column, unless the row says how often. Where operations of a column differ, most are in the first line of the cell, and the others are named below it.',
		'',
		...used.map((kind) => `- **${HEADS[kind]}**: ${MEANS[kind]}${listOf(kind, members)}.`),
		'',
		'## Words',
		'',
		'| | |',
		'| --- | --- |',
		...LEGEND.map(([words, meaning]) => `| ${words} | ${meaning} |`),
		'',
		'## How it is made',
		'',
		'`test/hostile/matrix` runs every operation through n8n’s own engine, and the trigger through n8n’s own polling, against a stand-in for the service that misbehaves in each of these ways. It judges each run by what the service did and by what n8n shows, checks the promises above in each, and makes this page of what it found: `npm run reliability` writes it.',
		'',
	].join('\n');
}

/** Which operations a column stands for. */
function listOf(kind: Kind, members: Map<Kind, Set<string>>): string {
	if (kind === 'further' || kind === 'trigger') return '';
	return ` (${[...(members.get(kind) ?? [])].sort().join(' · ')})`;
}
