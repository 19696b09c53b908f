import {
	notebookParametersProblem,
	notebookScript,
	type Script,
} from '../../../nodes/Wherobots/service/notebooks';
import { parseJsonToSend } from '../../../nodes/Wherobots/service/json';
import { FLOODED, notebookOf, type CellDraft } from '../../support/notebooks';

const convert = (text: string, parameters = {}, leaveOutMaps = true) =>
	notebookScript(text, parameters, leaveOutMaps) as Script;
const scriptOf = (...cells: Array<string | CellDraft>) => convert(notebookOf(cells)).text;
/** The script for one cell, without what says where it is from. */
const cell = (code: string) =>
	scriptOf(code, 'x = 0').slice('\n# Cell 1\n'.length, -'\n# Cell 2\nx = 0\n'.length);
const problemOf = (text: string, parameters = {}) =>
	(notebookScript(text, parameters, true) as { problem: string }).problem;

it('turns code cells into a script, in order, and says what it leaves out', () => {
	const { text, leftOut } = convert(FLOODED, { day: '2026-11-26' });
	expect(text).toBe(`try:
    from IPython.display import display
except ImportError:
    def display(*objects, **options):
        print(*objects)

# Cell 2
pass  # %pip install h3
from sedona.spark import SedonaContext, SedonaKepler
sedona = SedonaContext.create(SedonaContext.builder().getOrCreate())

# Cell 3
day = '2026-11-25'

# Parameters
day = "2026-11-26"

# Cell 4
n = sedona.table('demo.buildings').count()
print('is it 42?', n)
pass  # sedona.table?

# Cell 5

# Cell 6

# Cell 7
pass  # !ls data
display(n)
`);
	expect(leftOut).toEqual([
		'cell 2: %pip install h3',
		'cell 4: sedona.table?',
		"cell 5: SedonaKepler.create_map(df=sedona.table('demo.buildings'))",
		'cell 6: %%sql',
		'cell 7: !ls data',
	]);
});

it.each([
	['%matplotlib inline'],
	['!aws s3 ls "s3://bucket'],
	["!echo it's"],
	['sedona.table??'],
	['%timeit f(x)'],
	['files = !ls data'],
	['a, b = %run x.py'],
	['conda install -y h3'],
])('leaves out what only Jupyter understands: %s', (line) => {
	expect(cell(line)).toBe(`pass  # ${line}\n`);
	expect(cell(`for x in y:\n    ${line}\nz()`)).toBe(`for x in y:\n    pass  # ${line}\nz()\n`);
});

it('leaves out all lines of a command', () => {
	expect(cell('!ls \\\n  data \\\n  more\nx = 1')).toBe(
		'pass  # !ls \\\n#   data \\\n#   more\nx = 1\n',
	);
});

it('keeps the code that a command only measures or hides', () => {
	expect(cell('if x:\n    %time y = f(x)\n')).toBe('if x:\n    y = f(x)\n\n');
	expect(cell('y = %time f(x)\n')).toBe('y = f(x)\n\n');
	expect(cell('# slow\n%%time\ny = f(x)\n!ls')).toBe('y = f(x)\npass  # !ls\n');
	expect(cell('%%capture out\ny = f(x)')).toBe('y = f(x)\n');
	expect(cell('%time !ls')).toBe('pass  # !ls\n');
	expect(cell('%%timeit\ny = f(x)')).toBe('');
	expect(cell('\n\n%%bash\nls')).toBe('');
});

it.each([
	['text = """\n%time x\n!ls\nwhat?\n"""'],
	['x = (a\n  % b)'],
	['x = 1  # why?'],
	['d["a=%d"] = 3'],
	['print("why?")'],
	['x = "it\'s"\ny = \'"\''],
	['x != y'],
	["f(x='%y')"],
	['pip = install'],
	['lambda x: x'],
	['x = {\n"a": "!b",\n}'],
	['"""\n%%sql\n"""'],
])('leaves Python as it is: %j', (code) => {
	expect(cell(code)).toBe(`${code}\n`);
	expect(convert(notebookOf([code, 'x = 0'])).leftOut).toEqual([]);
});

it('reads lines with the ends of Windows', () => {
	expect(cell('!ls\r\nx = 1\r\n')).toBe('pass  # !ls\nx = 1\n\n');
});

it('puts imports from the future first, where Python wants them', () => {
	expect(scriptOf('display(1)', 'from __future__ import annotations\nx = 1')).toMatch(
		/^from __future__ import annotations\ntry:\n[^]*\n# Cell 2\nx = 1\n$/,
	);
});

describe('cells with maps', () => {
	const leftOut = (...cells: string[]) => convert(notebookOf([...cells, 'x = 0'])).leftOut.length;
	const draw = 'SedonaKepler.create_map(df=frame)';

	it.each([
		[[draw]],
		[[`# Map\nview = ${draw}\nview`]],
		[['view = SedonaPyDeck.create_choropleth_map(\n  df=frame,\n)\ndisplay(view)']],
		[['view = SedonaKepler.create_map()\nSedonaKepler.add_df(view, frame, name="a")\nview;']],
		[[`view = ${draw}`, 'view']],
	])('are left out when they do nothing else: %j', (cells) => {
		expect(leftOut(...cells)).toBe(cells.length);
	});

	it.each([
		[`frame = load()\n${draw}`],
		[`${draw}.save_to_html(file_name="map.html")`],
		[`view = ${draw}\nview.to_html("map.html")`],
		['from sedona.spark import SedonaKepler'],
		[`for frame in frames:\n    ${draw}`],
		['frame'],
	])('are kept when they do: %j', (code) => {
		expect(leftOut(code)).toBe(0);
	});

	it('are kept when that is wanted', () => {
		expect(convert(notebookOf([draw]), {}, false).text).toContain(draw);
	});
});

describe('parameters', () => {
	const tagged = { code: 'x = 1', tags: ['parameters'] };
	const assigned = (json: string) => {
		const { text } = convert(notebookOf([tagged, 'y = 0']), parseJsonToSend(json) as never);
		return /# Parameters\n([^]*)\n# Cell 2/.exec(text)?.[1];
	};

	it.each([
		['{"x": 12345678901234567890}', 'x = 12345678901234567890\n'],
		['{"x": [true, false, null, -1.5]}', 'x = [True, False, None, -1.5]\n'],
		['{"x": {"a": {"b": []}}}', 'x = {"a": {"b": []}}\n'],
		['{"x": "a\\"b\\\\n\\nc"}', 'x = "a\\"b\\\\n\\nc"\n'],
		['{"größe": "größe 🗺"}', 'größe = "größe 🗺"\n'],
		['{"a": 1, "b": "true"}', 'a = 1\nb = "true"\n'],
	])('are values of Python: %s', (json, python) => {
		expect(assigned(json)).toBe(python);
	});

	it('take the place of those that papermill has inserted', () => {
		const injected = { code: 'x = 2', tags: ['injected-parameters'] };
		const cells = [tagged, injected, 'y = 0'];
		expect(convert(notebookOf(cells), { x: 3 }).text).toBe(
			'\n# Cell 1\nx = 1\n\n# Parameters\nx = 3\n\n# Cell 3\ny = 0\n',
		);
		expect(scriptOf(...cells)).toBe('\n# Cell 1\nx = 1\n\n# Cell 2\nx = 2\n\n# Cell 3\ny = 0\n');
	});

	it('need a cell to override', () => {
		expect(problemOf(notebookOf(['x = 1']), { x: 3 })).toBe(
			'has no cell with the tag "parameters"',
		);
	});

	it.each([
		[{ 'a b': 1 }, 'must have names of Python variables, not "a b"'],
		[{ class: 1 }, 'must have names of Python variables, not "class"'],
		[{ 'x\nimport os': 1 }, /^must have names of Python variables/],
		[{ a: { b: [2 ** 60] } }, /^has a number in a that n8n cannot hold exactly/],
		[{ a: Number.NaN }, /^has a number in a/],
	])('are refused unless Python can have them: %j', (parameters, problem) => {
		expect(notebookParametersProblem(parameters)).toMatch(problem);
	});

	it('are taken as numbers with fractions and of any length', () => {
		expect(
			notebookParametersProblem(parseJsonToSend('{"a": [0.1, 12345678901234567890]}') as never),
		).toBeUndefined();
	});
});

it.each([
	['<html>', 'is not a Jupyter notebook: it is not JSON'],
	['[]', 'is not a Jupyter notebook: it is not JSON'],
	['{"a": 1}', 'is not a Jupyter notebook: it has no cells'],
	[
		'{"nbformat": 3, "worksheets": [{"cells": []}]}',
		'has an old format: open it in Jupyter and save it again',
	],
	[notebookOf([{ markdown: 'text' }]), 'has no code cells'],
	[notebookOf(['!ls', '%%sql\nSELECT 1', '# nothing']), 'has no Python code to run'],
	[
		notebookOf(['x <- 1'], { language_info: { name: 'R' } }),
		'is written in R: only Python can be run',
	],
	[
		notebookOf(['val x = 1'], { kernelspec: { name: 'x', language: 'scala' } }),
		'is written in scala: only Python can be run',
	],
])('says why a file cannot be run: %s', (text, problem) => {
	expect(problemOf(text)).toBe(problem);
});

it.each([[{}], [{ kernelspec: null }], [{ language_info: { name: 'ipython' } }]])(
	'takes a notebook for one in Python unless it says otherwise: %j',
	(metadata) => {
		expect(convert(notebookOf(['x = 1'], metadata)).text).toBe('\n# Cell 1\nx = 1\n');
	},
);

it('reads a notebook with a byte order mark, and cells of any form', () => {
	const odd = [
		null,
		7,
		{ cell_type: 'code' },
		{ cell_type: 'code', source: ['x = 1'], metadata: 3 },
	];
	const text = `\uFEFF${JSON.stringify({ nbformat: 4, cells: odd })}`;
	expect(convert(text).text).toBe('\n# Cell 3\n\n# Cell 4\nx = 1\n');
});
