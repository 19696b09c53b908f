/** The check of statements, compared with Spark's own rules: its lexer and its grammar. */
import fc from 'fast-check';

import { examine, tokenize } from '../../../../nodes/Wherobots/service/sql/statements';
import { forAll } from '../../../support/forAll';
import { DEEP, runs } from '../../../support/runs';
import { statementOf } from './spark/grammar';
import { lex } from './spark/lexer';

const numRuns = runs(3_000, 100_000);
const seed = DEEP ? undefined : 29;

/** What Spark ignores between two tokens, or seems to. */
const GAPS = [
	...[' ', ' ', ' ', ' ', '\n', '\t ', '\r\n', ''],
	...['/**/', '/* SELECT */', '-- SELECT\n', "/* ' */", '-- "`\n', '/***/', '/*/ */', '/* -- */'],
	...['/* /*+ */', '/* /* */ */', '/*/*/ */ */', '-- \\\n SELECT\n', '-- \\\r\n', '-- /*\n'],
	'-- c:\\d\n',
];

/** The texts of the tokens that Spark's lexer finds. */
const sparkTokens = (statement: string) =>
	lex(statement)
		.filter(({ kind }) => kind !== 'hidden')
		.map(({ start, end }) => statement.slice(start, end));

/** Makes choices by a list of numbers; once that is used up, it always chooses the first. */
function chooser(numbers: number[]): (below: number) => number {
	let at = 0;
	return (below) => (numbers[at++] ?? 0) % below;
}

it("lets nothing pass that Spark's grammar calls a change or a script", async () => {
	let passed = 0;
	const choices = fc.array(fc.nat(), { minLength: 400, maxLength: 400 });
	const lengths = fc.integer({ min: 3, max: 30 });
	await forAll([choices, choices, lengths], { numRuns, seed }, (forTokens, forGaps, maxTokens) => {
		const { tokens, isReading, isScript } = statementOf(chooser(forTokens), maxTokens);
		const pick = chooser(forGaps);
		const gap = () => GAPS[pick(GAPS.length)];
		const cased = tokens.map((text) => (pick(3) > 0 ? text : text.toLowerCase()));
		const tricky = gap() + cased.map((text) => text + gap()).join('');
		const isSame = sparkTokens(tricky).join('\n') === cased.join('\n');
		const statement = isSame ? tricky : cased.join(' ');
		const reads = examine(statement).onlyReads;
		if (!isReading || isScript) expect({ statement, reads }).toEqual({ statement, reads: false });
		passed += Number(reads);
	});
	// A check that refuses everything would pass as well.
	expect(passed).toBeGreaterThan(numRuns / 20);
}, 600_000);

it("splits what it understands into the same tokens as Spark's lexer", async () => {
	const pieces = fc.constantFrom(
		...["'", '"', '`', '--', '-', '/*', '*/', '/*+', '/', '*', '+', '\\', '\n', '\r', "r'", 'r"'],
		...[':a', '::', ':', '://', 'a', 'INSERT', ' ', ';', '(', ')', '1', '.5', '1e+5', '1.5e-', 'e'],
		...['1e', 'bd', 'L', '.', '$', '{', 'ı', '\u00a0', '=', '<', '>', ',', 'USING', '5r'],
	);
	const spans = (tokens: Array<{ kind: string; text: string; start: number }>) =>
		tokens
			.filter(({ kind, text }) => /^(text|name|word)$/.test(kind) && !/^[\d.]/.test(text))
			.map(({ start, text }) => `${start} ${text}`);
	await forAll([fc.array(pieces, { maxLength: 40 })], { numRuns, seed }, (list) => {
		const statement = list.join('');
		let end = 0;
		const ours = [...tokenize(statement)].flatMap(({ kind, text }) => {
			const start = end;
			end += text.length;
			if (kind !== 'parameter' && kind !== 'path') return [{ kind, text, start }];
			return [{ kind: 'word', text: text.slice(1), start: start + 1 }];
		});
		const last = ours.at(-1);
		const clear = last?.kind === 'unclear' ? last.start : statement.length;
		const theirs = lex(statement)
			.filter(({ start }) => start < clear)
			.map(({ kind, ...span }) => ({
				kind,
				start: span.start,
				text: statement.slice(span.start, span.end),
			}));
		expect(spans(ours)).toEqual(spans(theirs));
	});
}, 600_000);
