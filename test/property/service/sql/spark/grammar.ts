/**
 * Statements of Spark's grammar in the version of dt-sql-parser: random walks through the network of
 * states that ANTLR generated from it. Each walk tells what the grammar calls the statement.
 */
import { SparkSqlParser } from 'dt-sql-parser/dist/lib/spark/SparkSqlParser';

interface State {
	stateNumber: number;
	ruleIndex: number;
	transitions: Transition[];
}

/** A step: through a rule and on to `followState`, or over one of the tokens in `label`, or over nothing. */
interface Transition {
	target: State;
	followState?: State;
	label: { toArray(): number[] } | null;
}

const {
	_ATN: network,
	ruleNames,
	symbolicNames,
	literalNames,
} = SparkSqlParser as unknown as {
	_ATN: { states: State[]; ruleToStartState: State[]; ruleToStopState: State[] };
	ruleNames: string[];
	symbolicNames: Array<string | null>;
	literalNames: Array<string | null>;
};

/** Texts for each kind of token; kinds that are not here have only one spelling. */
const TEXTS: Record<string, string[]> = {
	STRING_LITERAL: ["'a'", "'it\\'s'", "'--'", "'/*'", "'*/'", "r'\\'", "'INSERT'", "'sh -c id'"],
	DOUBLEQUOTED_STRING: ['"a"', '"*/"', '"SELECT"'],
	INTEGER_VALUE: ['0', '12'],
	BIGINT_LITERAL: ['1L'],
	SMALLINT_LITERAL: ['1S'],
	TINYINT_LITERAL: ['1Y'],
	DECIMAL_VALUE: ['1.5', '.5', '1.'],
	EXPONENT_VALUE: ['1e5', '1e+5', '.5e-5'],
	FLOAT_LITERAL: ['1F', '1.5e+5f'],
	DOUBLE_LITERAL: ['1D', '1e+5d'],
	BIGDECIMAL_LITERAL: ['1BD', '.5bd'],
	EQ: ['=', '=='],
	LTE: ['<=', '!>'],
	GTE: ['>=', '!<'],
	IDENTIFIER: ['a', 'foo', 'x1', '_', 'count', 'reflect', 'java_method', 'try_reflect'],
	BACKQUOTED_IDENTIFIER: ['`a`', '`insert`', '`a``b`', '`reflect`', '`--`', '`/*`'],
};

/** Whether a walk can choose this type of token: not the end of the file, hidden tokens or errors. */
const isUsable = (type: number) =>
	type > 0 && !/COMMENT$|WHITE_SPACE|UNRECOGNIZED/.test(symbolicNames[type] ?? '');
const types = (label: { toArray(): number[] }) => label.toArray().filter(isUsable);

/** The fewest tokens from each state to the end of its rule. */
const shortest = network.states.map(() => Infinity);
for (const stop of network.ruleToStopState) shortest[stop.stateNumber] = 0;
for (let hasChanged = true; hasChanged; ) {
	hasChanged = false;
	for (const { stateNumber, transitions } of network.states) {
		const least = Math.min(shortest[stateNumber], ...transitions.map(lengthOf));
		hasChanged ||= least < shortest[stateNumber];
		shortest[stateNumber] = least;
	}
}

function lengthOf({ target, followState, label }: Transition): number {
	if (label && types(label).length === 0) return Infinity;
	const own = shortest[target.stateNumber] + (label ? 1 : 0);
	return followState ? own + shortest[followState.stateNumber] : own;
}

/** The kinds of statements: the first two are a query, and a change with or without WITH. */
const start = network.ruleToStartState[ruleNames.indexOf('statement')];
const kinds = start.transitions[0].target.transitions;

export interface Statement {
	/** The texts of its tokens. */
	tokens: string[];
	/** Whether the grammar calls it a query or a statement that shows something. */
	isReading: boolean;
	/** Whether it sends rows through a program, or calls a function named by text or any Java method. */
	isScript: boolean;
}

/**
 * Builds a statement by the choices of `pick`, which returns a number from 0 up to but not including its
 * argument. After `maxTokens`, it takes the shortest way to the end.
 */
export function statementOf(pick: (below: number) => number, maxTokens: number): Statement {
	const tokens: string[] = [];
	const path: string[] = [];
	let isScript = false;

	function walk(rule: State): void {
		const name = ruleNames[rule.ruleIndex];
		path.push(name);
		isScript ||= name === 'transformClause';
		const began = tokens.length;
		for (let state = rule; state !== network.ruleToStopState[rule.ruleIndex]; ) {
			const step = choose(state);
			if (step.followState) {
				walk(step.target);
				state = step.followState;
			} else {
				if (step.label) tokens.push(textOf(types(step.label)));
				state = step.target;
			}
		}
		if (name === 'functionName') isScript ||= namesCode(tokens.slice(began));
	}

	function choose({ transitions }: State): Transition {
		const open = transitions.filter((each) => lengthOf(each) < Infinity);
		// There are ninety kinds of statements; half of the time it is a query or what WITH can lead to.
		if (transitions === kinds && pick(2) === 0) return open[pick(2)];
		if (tokens.length < maxTokens) return open[pick(open.length)];
		const least = Math.min(...open.map(lengthOf));
		return open.find((each) => lengthOf(each) === least) as Transition;
	}

	function textOf(candidates: number[]): string {
		const type = candidates[pick(candidates.length)];
		const name = symbolicNames[type] ?? '';
		const texts = TEXTS[name] ?? [literalNames[type]?.slice(1, -1) ?? name.replace(/^KW_/, '')];
		return texts[pick(texts.length)];
	}

	walk(start);
	// An EXPLAIN contains a statement of its own.
	const inner = path.lastIndexOf('statement');
	const beginning = tokens.slice(explaining(tokens)).join(' ');
	const isShowing = /^(SHOW|DESC|DESCRIBE|LIST (FILE|JAR|ARCHIVE)S?)\b/i.test(beginning);
	const isReading = path[inner + 1] === 'query' || isShowing;
	return { tokens, isReading, isScript };
}

/** How many tokens of EXPLAIN precede the statement itself. */
function explaining(tokens: string[]): number {
	let at = 0;
	while (tokens[at] === 'EXPLAIN') {
		at += /^(LOGICAL|FORMATTED|EXTENDED|CODEGEN|COST)$/.test(tokens[at + 1]) ? 2 : 1;
	}
	return at;
}

/** Whether a function is named by text, or calls Java. In `identifier.a()`, it is the name of a schema. */
function namesCode(tokens: string[]): boolean {
	const isNamedByText = tokens[0] === 'IDENTIFIER' && tokens[1] !== '.';
	return isNamedByText || /reflect|java_method/.test(tokens.at(-1) ?? '');
}
