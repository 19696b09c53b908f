/** What people read: the list of guesses, the table on the terminal, and the report to attach. */
import { PACKAGE_NAME, PACKAGE_VERSION } from '../../nodes/Wherobots/service/deployment';
import type { Outcome, Result } from './examine';
import { AREAS } from './guess';
import { guesses } from './guesses';

const WORDS: Record<Outcome, string> = {
	asAssumed: 'as assumed',
	otherwise: 'OTHERWISE',
	notChecked: 'not checked',
};

const cell = (text: string) => text.replace(/\|/g, '\\|').replace(/\s+/g, ' ');

const row = (...cells: string[]) => `| ${cells.map(cell).join(' | ')} |`;

function table(head: string[], rows: string[][]): string {
	return [row(...head), row(...head.map(() => '---')), ...rows.map((each) => row(...each))].join(
		'\n',
	);
}

/** All guesses by area, as docs/live-checks.md has them. */
export function renderGuesses(): string {
	const rows = (area: string) =>
		guesses
			.filter((guess) => guess.area === area)
			.map(({ name, assumed, matters, spends }) => [
				`\`${name}\`${spends ? ' \\*' : ''}`,
				assumed,
				matters,
			]);
	return AREAS.map(
		(area) => `### ${area}\n\n${table(['Name', 'Assumed', 'Matters for'], rows(area))}`,
	).join('\n\n');
}

/** Our own texts, those within checks included: what stands in them is no secret of an account. */
export const VOCABULARY = guesses
	.flatMap(({ check, ...texts }) => [...Object.values(texts), check.toString()])
	.join('\n');

export function line({ guess, outcome, seen }: Result): string {
	return `${WORDS[outcome].padEnd(11)}  ${guess.name.padEnd(26)} ${seen}\n`;
}

const of = (results: Result[], outcome: Outcome) =>
	results.filter((each) => each.outcome === outcome);

export function summary(results: Result[]): string {
	const count = (outcome: Outcome) => of(results, outcome).length;
	return `${count('asAssumed')} as assumed, ${count('otherwise')} otherwise, ${count('notChecked')} could not be checked`;
}

export interface Circumstances {
	spent: boolean;
	isDefaultService: boolean;
	/** What failed while a job run and a session were made. */
	problems: string[];
	date: Date;
}

/** What a maintainer does with the report. */
const NEXT =
	'For each: have the sandbox do it (`test/sandbox`), correct the assumption (`scripts/live/guesses`), and see which tests fail.';

/** A report in Markdown. It has to be masked before anyone sees it. */
export function renderReport(results: Result[], around: Circumstances): string {
	const otherwise = of(results, 'otherwise').map(
		({ guess, seen, requests }) => `### \`${guess.name}\`

- Assumed: ${guess.assumed}
- Seen: **${cell(seen)}**
- Matters for: ${guess.matters}
- First file to look at: \`${guess.code}\`
- Requests: ${requests.map((each) => `\`${each.replaceAll('`', "'")}\``).join(' · ') || 'those of the job run or session'}`,
	);
	const others = (outcome: Outcome, head: string) =>
		table(
			['Name', head],
			of(results, outcome).map(({ guess, seen }) => [`\`${guess.name}\``, seen]),
		);
	return `# Live check

- ${PACKAGE_NAME} ${PACKAGE_VERSION}, Node.js ${process.version}, ${around.date.toISOString().slice(0, 10)}
- ${around.isDefaultService ? 'Wherobots Cloud, at its usual address' : 'Another base URL'}
- ${around.spent ? 'With a job run and a SQL session' : 'Reads only'}
- ${summary(results)}
${around.problems.map((problem) => `- ${cell(problem)}\n`).join('')}
## Otherwise

${otherwise.length > 0 ? [NEXT, ...otherwise].join('\n\n') : 'Nothing.'}

## Could not be checked

${others('notChecked', 'Why')}

## As assumed

${others('asAssumed', 'Seen')}
`;
}
