/**
 * Converted notebooks, judged by Python itself: it reads them as the code that they had, with `pass` for
 * each command.
 */
import { spawnSync } from 'node:child_process';

import fc from 'fast-check';

import { convertNotebook, type Script } from '../../../../nodes/Wherobots/service/runs/notebooks';
import { findOutput } from '../../../../nodes/Wherobots/service/runs/logLines';
import { forAll } from '../../../support/forAll';
import { notebookOf } from '../../../support/notebooks';
import { itWithPython } from '../../../support/python';
import { runs } from '../../../support/runs';

/** Whether Python reads the first program of a pair as the second one, or has its value in `x`. */
const ALIKE = {
	code: 'ast.dump(ast.parse(given)) == ast.dump(ast.parse(expected))',
	value: 'exec(given, scope := {}) or scope["x"] == json.loads(ast.literal_eval(expected))',
};

/** Prints which pairs are not alike, and why. */
const judge = (alike: string) => `
import ast, json, sys
wrong = []
for given, expected in json.load(sys.stdin):
    try:
        wrong.append(None if ${alike} else "other")
    except (SyntaxError, ValueError) as problem:
        wrong.append(repr(problem))
json.dump(wrong, sys.stdout)
`;

/** Lines that Python does not know, each as another command of a notebook. */
const command = fc.constantFrom(
	...['%time', '%timeit f(x)', '!ls "data', "!echo it's", '?name', 'name??', 'a.b?', '%%time'],
	...['x = !ls', 'x = %sql SELECT 1', 'pip install h3', '!ls \\\n  more', '%load_ext a.b', '!'],
	...['a, b = %run x.py', 'conda install -y h3'],
);

/** Statements of one or more lines, with what looks like a command. */
const python = fc.constantFrom(
	...['x = 1', 'print("a?")', '# why?', 'x = 5 \\\n  % 3', 'x = [\n1,\n# ?\n2]', "x = '!'"],
	...['x = """\n%time x\n!ls\nwhy?\n"""', "x = r'''\\\n%%sql\n'''", 'x = "a = %s" % "b"', ''],
	...["f(a, end='?')", 'x = """a \\"""\n!ls"""', 'x = {"a": (1,\n  2)}', 'x = "\\"" # "\''],
	...['d["a=%d"] = 3', 'z = x != y', "z = f(x='%y')", 'pip = install', 'lambda x: x'],
	...['x = f"{x!r}"', 'x: int = 5', 'x = """""" ; y = \'\'', 'if x: y = "?"', 'x = b"\\\n!ls"'],
	...['"""?"""', "x = \"#\" # '''", 'x = 7 % (\n+1)', 'return_ = x', 'x = u"\\N{DEGREE SIGN}"'],
	'x %= 2',
);

/** A line or a block, as in the notebook and as in Python. */
type Piece = [notebook: string, python: string];

const indented = (text: string) =>
	// Strings go on where they are: only the first line of a statement is known to be code.
	text.replace(/^/, '    ');

const { piece } = fc.letrec<{ piece: Piece; block: Piece }>((tie) => ({
	piece: fc.oneof(
		{ maxDepth: 2 },
		command.map((line): Piece => [line, 'pass']),
		python.map((text): Piece => [text, text]),
		tie('block'),
	),
	block: fc
		.tuple(
			fc.constantFrom('if x:', 'for y in [1]:', 'def f(a,\n  b="%"):', 'try:', 'class A:  # ?'),
			fc.oneof(
				command.map((line): Piece => [line, 'pass']),
				python.filter(isCode).map((text): Piece => [text, text]),
			),
		)
		.map(([head, [notebook, code]]): Piece => {
			const tail = head === 'try:' ? '\nfinally:\n    pass' : '';
			return [`${head}\n${indented(notebook)}${tail}`, `${head}\n${indented(code)}${tail}`];
		}),
}));

function isCode(text: string): boolean {
	return text !== '' && !text.startsWith('#');
}

const cell = fc.array(piece, { minLength: 1, maxLength: 6 });

/** What a Python program prints as JSON about the JSON that it reads. */
function python3(program: string, input: unknown): unknown {
	const { stdout, status } = spawnSync('python3', ['-W', 'ignore', '-c', program], {
		input: JSON.stringify(input),
		encoding: 'utf8',
		maxBuffer: 64_000_000,
	});
	expect(status).toBe(0);
	return JSON.parse(stdout);
}

/** The first pairs that are not alike. */
function notAlike(how: keyof typeof ALIKE, pairs: Piece[]) {
	const problems = python3(judge(ALIKE[how]), pairs) as Array<string | null>;
	const wrong = pairs.map((pair, index) => ({ problem: problems[index], pair }));
	return wrong.filter(({ problem }) => problem !== null).slice(0, 3);
}

const withPython = itWithPython('read converted notebooks');

withPython('gives Python what the notebook had, with pass for each command', () => {
	const notebooks = fc.sample(fc.array(cell, { minLength: 1, maxLength: 3 }), runs(300, 20_000));
	const pairs = notebooks.map((cells): Piece => {
		// The first line is code, for a cell that begins with %% is left out; the last one has no value to show.
		const texts = [0, 1].map((form) =>
			cells.map((pieces) => ['x = 0', ...pieces.map((each) => each[form]), 'x = 0'].join('\n')),
		);
		const script = convertNotebook(notebookOf(texts[0]), {}, true);
		expect(script).toHaveProperty('text');
		return [(script as { text: string }).text, texts[1].join('\n')];
	});

	expect(notAlike('code', pairs)).toEqual([]);
});

/** What JSON can hold, with all characters that a string of Python might end or escape differently. */
const anyJson = fc.jsonValue({ stringUnit: 'binary' });

withPython('gives Python the values that parameters have', () => {
	const values = fc.sample(anyJson, runs(300, 20_000));
	const pairs = values.map((value): Piece => {
		const tagged = { code: 'x = 0', tags: ['parameters'] };
		const script = convertNotebook(notebookOf([tagged]), { x: value as never }, true);
		const text = JSON.stringify(JSON.stringify(value));
		return [(script as { text: string }).text, text];
	});
	expect(notAlike('value', pairs)).toEqual([]);
});

/** Which cells Python can compile although they are refused, or although it cannot compile their script. */
const WRONGED = `
import json, sys
def compiles(text):
    try:
        compile(text, "", "exec")
        return True
    except (SyntaxError, ValueError):
        return False
pairs = json.load(sys.stdin)
json.dump([cell for cell, script in pairs if compiles(cell) and not (script and compiles(script))], sys.stdout)
`;

const statement = fc.constantFrom(
	...['if x:', 'else:', 'def f(a, *, b=1):', 'async def f():', 'class A:', 'return x', 'await x'],
	...['match x:', 'case A():', 'for *a, b in c:', '@f', '(', 'x,', ')', 'x = """', '"""', '# x'],
	...['import a; a', 'a; b;', 'x: int', 'lambda: (yield)', 'from a import *', 'pass', '...', ''],
	'x \\',
);

const WORDS = 'x y 1 1.5 "a" \'b\' f"{x}" + - * = == , . ( ) [ ] not in is if else :'.split(' ');
const words = fc
	.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 })
	.map((each) => each.join(' '));

/** Lines of which Python can compile every fifth cell or so. */
const line = fc
	.tuple(fc.constantFrom('', '', '', '    ', '\t', '        '), fc.oneof(statement, words))
	.map((parts) => parts.join(''));

withPython('refuses no cell that Python can run, and makes a script of it', () => {
	const cells = fc.sample(fc.array(line, { minLength: 1, maxLength: 4 }), runs(2_000, 100_000));
	const pairs = cells.map((lines) => {
		const code = lines.join('\n');
		const script = convertNotebook(notebookOf(['x = 1', code]), {}, true);
		return [code, 'text' in script ? script.text : null];
	});
	expect(python3(WRONGED, pairs)).toEqual([]);
});

describe('the output of a notebook', () => {
	/** What a log with what these cells print shows. */
	const outputOf = (...cells: string[]) => {
		const { text } = convertNotebook(notebookOf(cells), {}, true) as Script;
		const { stdout } = spawnSync('python3', ['-c', text], { encoding: 'utf8' });
		return findOutput(stdout.split('\n'));
	};
	const ARRAY = 'class Array:\n    def tolist(self):\n        return [1, 2]';

	withPython('is what n8n_output gets, with values of NumPy and others', () => {
		const value = '{"rows": 0, "array": Array(), "day": date(2026, 1, 31), "none": None}';
		const output = outputOf('from datetime import date', ARRAY, `n8n_output(${value})`);
		expect(JSON.parse(output ?? '')).toEqual({
			...{ rows: 0, array: [1, 2], day: '2026-01-31', none: null },
		});
	});

	withPython('is what a function of that name of the notebook makes of it', () => {
		const own = 'def n8n_output(value):\n    print("N8N_OUTPUT", "own")';
		expect(outputOf(own, 'n8n_output(1)')).toBe('own');
	});

	withPython('is missing where no cell asks for it', () => {
		expect(outputOf('print("N8N_OUTPUT_FILE x")')).toBeUndefined();
	});
});

it('comes to an end for any text', async () => {
	const text = fc.string({ unit: fc.constantFrom(...'"\'\\\n#%!?([{)]} \tx='), maxLength: 200 });
	await forAll([fc.array(text, { maxLength: 3 })], runs(300, 20_000), (cells) => {
		convertNotebook(notebookOf([...cells, 'x = 1']), {}, true);
	});
	const long = [
		`x = "${'\\'.repeat(30_000)}`,
		`"""${'a"'.repeat(30_000)}`,
		'\n'.repeat(30_000),
		`${'a'.repeat(30_000)}?x`,
	];
	for (const source of long) convertNotebook(notebookOf([source, 'x = 1']), {}, true);
});
