/** The page that tells people what the matrix has found: docs/reliability-cases.md. */
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
	reads: 'a request that reads records, whatever else its operation does',
	files: 'the request of an operation that returns a file',
	changes:
		'a request that changes, deletes, cancels or verifies something, reads costs, issues a URL or credentials, or starts a SQL session',
	creates: 'the request of an operation that creates something, which is never sent twice',
	waits: 'the requests of an operation that waits, here for up to a minute',
	further:
		'additional requests of an operation: for the run that was cancelled, for a list that contains an ID, for the owner of a credential',
	trigger: 'any request of a poll, or of the activation',
};

/** What a cell says, and what that means. */
const WORDS: Record<Verdict | 'kept' | 'untested', [words: string, meaning: string]> = {
	result: ['result', 'the result is the same as without the failure'],
	retried: ['retried, result', 'the request was repeated and then returned that result'],
	found: [
		'recovered',
		'the response to a creation was lost; the node found what it had created and continued with it',
	],
	data: [
		'partial result',
		'the output contains whatever the service sent, however unusual or incomplete',
	],
	error: ['error', 'the node fails at once with an error that says what happened and what to do'],
	gaveUp: [
		'retried, error',
		'the same after repeating the request for up to a minute: five attempts, not counting those that the rate limit refused (429)',
	],
	unclear: [
		'error naming what to check',
		'it is unclear whether something was created; nothing is sent again, and the error says what to look for',
	],
	kept: ['nothing lost', 'every event was delivered once, and no failure was reported'],
	late: [
		'reported, nothing lost',
		'the failure was reported to n8n; afterwards, every event was delivered once',
	],
	missed: [
		'events missed',
		"the first poll starts from the service's time and ignores events with an earlier one; events are missed if that time is wrong at this one moment",
	],
	untested: ['–', 'not tested: the failure does not apply, or a similar one was tested instead'],
};

/** The words for a cell; the trigger has some of its own. */
function wordsFor(kind: Kind, verdict: Verdict): string {
	return WORDS[kind === 'trigger' && verdict === 'result' ? 'kept' : verdict][0];
}

/** `Cloud Connection: Get Create Link (3)` is one operation with others of its name. */
const nameOf = ({ subject }: PageCell) => subject.replace(/ \(\d+\)$|^Trigger: /g, '');

/** What most say, and below it what is different where. */
function summary(kind: Kind, cells: PageCell[]): string {
	if (cells.length === 0) return WORDS.untested[0];
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

const toRow = (cells: string[]): string => `| ${cells.join(' | ')} |`;

/** The page, for cells in any order. */
export function pageOf(faults: MatrixFault[], cells: PageCell[]): string {
	const kinds = Object.keys(HEADS) as Kind[];
	const members = new Map<Kind, Set<string>>(kinds.map((kind) => [kind, new Set()]));
	for (const cell of cells) members.get(cell.kind)?.add(nameOf(cell));
	const used = kinds.filter((kind) => members.get(kind)?.size);
	// Faults of a group with the same outcome share a row.
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
	const groups = [...new Set([...rows.values()].map(({ group }) => group))];
	return [
		'# Reliability, case by case',
		'',
		'This page says how each kind of operation responds to every failure that was tested. [Reliability](reliability.md) has the summary.',
		'',
		`To look up a case, find its section (${groups.map((group) => `[${group}](#${group.toLowerCase()})`).join(' · ')}), what goes wrong in the first column, and the [kind of operation](#columns) in the first row. The cell says how the node responds, in [these words](#words).`,
		'',
		'A row is a failure, or several with the same outcome, separated by ·. It affects every request of the column, unless the row says how often. Where operations of a column differ, the first line of the cell applies to most of them. The others are below it, by name if they are at most three.',
		'',
		...groups.flatMap((group) => [
			`## ${group}`,
			'',
			toRow(['What goes wrong', ...used.map((kind) => HEADS[kind])]),
			`|${' --- |'.repeat(used.length + 1)}`,
			...[...rows.values()]
				.filter((row) => row.group === group)
				.map(({ names, columns }) => `| ${names.join(' · ')} | ${columns} |`),
			'',
		]),
		'## Columns',
		'',
		...used.map((kind) => `- **${HEADS[kind]}**: ${MEANS[kind]}${listOf(kind, members)}.`),
		'',
		'## Words',
		'',
		'| In a cell | What it means |',
		'| --- | --- |',
		...Object.values(WORDS).map(([words, meaning]) => `| ${words} | ${meaning} |`),
		'',
	].join('\n');
}

/** Which operations a column stands for. */
function listOf(kind: Kind, members: Map<Kind, Set<string>>): string {
	if (kind === 'further' || kind === 'trigger') return '';
	return ` (${[...(members.get(kind) ?? [])].sort().join(' · ')})`;
}
