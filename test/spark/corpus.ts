/** Statements for the check of Read Only: what people write to read, what Spark's grammar has, and both garbled. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

import { statementOf } from '../property/service/sql/spark/grammar';

/** The same numbers each time: a linear congruential generator. */
function chooser(seed: number): (below: number) => number {
	let state = seed;
	return (below) => {
		state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
		return Math.floor((state / 2 ** 32) * below);
	};
}

type Pick = (below: number) => number;
type Rules = Record<string, string[]>;

/** The grammar in grammar.txt, where `<rule>` stands for one of the lines below the name of that rule. */
const RULES: Rules = Object.fromEntries(
	readFileSync(path.join(__dirname, 'grammar.txt'), 'utf8')
		.trimEnd()
		.split(/\n(?!\t)/)
		.map((rule) => rule.split('\n\t'))
		.map(([name, ...texts]) => [name, texts]),
);

const SPACES = [
	...[' ', ' ', ' ', '\n', '\t', '\r\n', '\u00a0', ' /* note */ ', ' -- note\n', '\u3000'],
	...[' /* a /* nested */ comment */ ', " /* it's */ ", ' -- "\n'],
];

function written(rule: string, pick: Pick, depth = 0): string {
	const texts = RULES[rule];
	// The first is a short one.
	const text = texts[depth > 5 ? 0 : pick(texts.length)];
	return text.replaceAll(/<(\w+)>/g, (_, inner: string) => written(inner, pick, depth + 1));
}

/** With other white space and comments between its words, outside of quotes. */
function spaced(text: string, pick: Pick): string {
	const isOdd = pick(3) === 0;
	return text.replaceAll(/'[^']*'|"[^"]*"|`[^`]*`|\/\*\+| /g, (part) =>
		part === ' ' && isOdd ? SPACES[pick(SPACES.length)] : part,
	);
}

const GARBLING = [
	...['INSERT INTO t ', 'INSERT OVERWRITE t ', 'DELETE FROM t ', 'UPDATE t SET a = 1 ', ';', '('],
	...['/*', '*/', '/*+', '--', '\n', "'", '"', '`', '\\', ' AS ', '.', ')', ',', ' FROM ', ':'],
	...['ınsert into t ', 'MERGE INTO t ', ' reflect(', '`reflect`(', 'CALL ice.system.x() ', '|> '],
	...['DROP TABLE t ', ' USING ', "'sh'", 'TRANSFORM(a) ', 'CREATE TABLE t AS ', "r'", 'TABLE t '],
	...['WITH as AS (SELECT 1) ', 'FROM as ', 'EXPLAIN ', 'ALTER TABLE t ', 'BEGIN ', 'END '],
];

/** Pieces of a statement in which others were put, left out or repeated. */
function garbled(text: string, pick: Pick): string {
	const pieces = text.split(/(?<=[\s(),;'"])/);
	for (let count = 1 + pick(3); count > 0; count--) {
		const at = pick(pieces.length + 1);
		const inserted = pick(4) > 0 ? [GARBLING[pick(GARBLING.length)]] : pieces.slice(at, at + 3);
		pieces.splice(pick(pieces.length + 1), pick(2), ...inserted);
	}
	return pieces.join('');
}

/** 5,000 statements, always the same; those in `reading` only read where they are valid. */
export function corpus(): { reading: string[]; others: string[] } {
	const pick = chooser(43);
	const make = (count: number, one: () => string) => Array.from({ length: count }, one);
	const reading = make(1_600, () => spaced(written('statement', pick), pick));
	const changing = make(1_000, () => spaced(written('change', pick), pick));
	const walked = make(1_000, () => statementOf(pick, 3 + pick(25)).tokens.join(' '));
	const lists = [reading, changing, walked];
	const mixed = make(1_400, () => {
		const list = lists[pick(lists.length)];
		return garbled(list[pick(list.length)], pick);
	});
	return { reading, others: [...changing, ...walked, ...mixed] };
}
