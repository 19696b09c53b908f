import { readFileSync } from 'node:fs';
import path from 'node:path';

import {
	checkNotebookParameters,
	convertNotebook,
	type Script,
} from '../../../../nodes/Wherobots/service/runs/notebooks';
import { parseJsonToSend } from '../../../../nodes/Wherobots/service/json';
import { FLOODED, notebookOf, type CellDraft } from '../../../support/notebooks';

const convert = (text: string, parameters = {}, leaveOutMaps = true) =>
	convertNotebook(text, parameters, leaveOutMaps) as Script;
const scriptOf = (...cells: Array<string | CellDraft>) => convert(notebookOf(cells)).text;
/** The script for one cell, without what says where it is from. */
const cell = (code: string) =>
	scriptOf(code, 'x = 0').slice('\n# Cell 1\n'.length, -'\n# Cell 2\nx = 0\n'.length);
const problemOf = (text: string, parameters = {}) =>
	(convertNotebook(text, parameters, true) as { problem: string }).problem;

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

it('keeps the code that a command only measures or hides', () => {
	expect(cell('if x:\n    %time y = f(x)\n')).toBe('if x:\n    y = f(x)\n\n');
	expect(cell('y = %time f(x)\n')).toBe('y = f(x)\n\n');
	expect(cell('# slow\n%%time\ny = f(x)\n!ls')).toBe('\n\ny = f(x)\npass  # !ls\n');
	expect(cell('%%capture out\ny = f(x)')).toBe('\ny = f(x)\n');
	expect(cell('%time !ls')).toBe('pass  # !ls\n');
	expect(cell('%%timeit\ny = f(x)')).toBe('');
	expect(cell('\n\n%%bash\nls')).toBe('');
});

it.each([
	['text = """\n%time x\n!ls\nwhat?\n"""'],
	['x = {\n"a": "!b",\n}'],
	['def f():\n    """\n>>> f()\n    """'],
	['"""\n%%sql\n"""\nx = 1'],
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
		const parameters = parseJsonToSend(json) as object;
		const code = Object.keys(parameters).map((name) => `${name} = 0\n`);
		const cells = [{ ...tagged, code: code.join('') }, 'y = 0'];
		const { text } = convert(notebookOf(cells), parameters);
		return /# Parameters\n([^]*)\n# Cell 2/.exec(text)?.[1];
	};

	it.each([
		['{"x": 12345678901234567890}', 'x = 12345678901234567890\n'],
		['{"x": [true, false, null, -1.5]}', 'x = [True, False, None, -1.5]\n'],
		['{"x": {"a": {"b": []}}}', 'x = {"a": {"b": []}}\n'],
		['{"x": "a\\"b\\\\n\\nc"}', 'x = "a\\"b\\\\n\\nc"\n'],
		['{"größe": "größe 🗺"}', 'größe = "größe 🗺"\n'],
		['{"a": 1, "b": "true"}', 'a = 1\nb = "true"\n'],
		['{"x": ["\\u0000123", 12345678901234567890]}', 'x = ["\\u0000123", 12345678901234567890]\n'],
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

	it.each([
		'limit = 10\nday: str = "2026-01-31"  # of the report',
		'limit, day = 10, None',
		'(limit, day) = 10, None',
		'limit = day = None',
		'limit = 1; day = 2',
		'if True:\n    limit = 1\nday = 2',
		'if True: limit = 1\nday = [size for size in (1, 2)]',
		'limit, day = size, read(area=1)',
		'limit = day = 1\nframe[size][area == 1] = 2',
	])('are names that the tagged cell sets, or the problem lists those: %j', (code) => {
		const notebook = notebookOf([{ ...tagged, code }, 'y = 0']);
		expect(convert(notebook, { limit: 1, day: 2 }).text).toContain('limit = 1\nday = 2\n');
		const refused = convertNotebook(notebook, { day: 1, limt: 2, y: 3 }, true);
		expect(refused).toEqual({
			unknown: ['limt', 'y'],
			problem: expect.stringMatching(
				/^sets (limit, day|day, limit) in its cell with the tag "parameters"$/,
			) as string,
		});
	});

	it('cannot be given to a tagged cell that sets nothing', () => {
		const code = 'print(x == 1, y)\nz.x = 1\nd["x"] = 2';
		expect(problemOf(notebookOf([{ ...tagged, code }]), { x: 3 })).toBe(
			'sets nothing in its cell with the tag "parameters"',
		);
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
		expect(checkNotebookParameters(parameters)).toMatch(problem);
	});

	it('are taken as numbers with fractions and of any length', () => {
		expect(
			checkNotebookParameters(parseJsonToSend('{"a": [0.1, 12345678901234567890]}') as never),
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

/** A notebook as it was saved. */
const saved = (name: string) =>
	readFileSync(path.join(__dirname, 'notebooks', `${name}.ipynb`), 'utf8');

describe('of a notebook from elsewhere', () => {
	it('leaves out the cells that Databricks runs in another language', () => {
		const { text, leftOut } = convert(saved('language-cells'));
		expect(text).toBe(
			'\n# Cell 1\nlimit = 5\n\n\n# Cell 2\n\n# Cell 3\n\n# Cell 4\n\nprint(limit + 1)\n' +
				"\n# Cell 5\npass  # %matplotlib inline\nprint('drawn')\n",
		);
		expect(leftOut).toEqual(['cell 2: %sql', 'cell 3: %sh', 'cell 5: %matplotlib inline']);
	});

	it('keeps Python that follows a magic with such a name elsewhere', () => {
		expect(cell('%fs\nx = 1')).toBe('pass  # %fs\nx = 1\n');
	});

	it('leaves out the cells that VS Code runs in another language', () => {
		const metadata = { vscode: { languageId: 'sql' } };
		const { text, leftOut } = convert(notebookOf(['x = 1', { code: 'SELECT 1', metadata }]));
		expect(text).toBe('\n# Cell 1\nx = 1\n\n# Cell 2\n');
		expect(leftOut).toEqual(['cell 2: sql: SELECT 1']);
	});

	it('does not look at outputs, which may not be JSON', () => {
		expect(convert(saved('nan-in-output')).text).toBe('\n# Cell 1\nprint(1)\n');
	});

	it('refuses one with a cell that only Jupyter can run, before it is uploaded', () => {
		expect(problemOf(saved('only-jupyter'))).toBe(
			'Python cannot run: cell 2 has "await" outside of a function on line 1. Correct the cell, or give it the tag "skip-execution"',
		);
	});

	it('leaves out cells with the tag "skip-execution"', () => {
		const { text, leftOut } = convert(
			notebookOf(['x = 1', { code: 'x ====', tags: ['skip-execution'] }]),
		);
		expect(text).toBe('\n# Cell 1\nx = 1\n\n# Cell 2\n');
		expect(leftOut).toEqual(['cell 2: skip-execution']);
	});

	it('reads it as Jupyter does, without indentation', () => {
		expect(cell('\n    if x:\n        y = 1\n    z = 2')).toBe('\nif x:\n    y = 1\nz = 2\n');
		expect(cell('        # x\nclass A:\n        "a"')).toBe('        # x\nclass A:\n        "a"\n');
	});
});

describe('the language', () => {
	const info = { mimetype: 'text/x-python', file_extension: '.py' };
	it.each([
		[{ kernelspec: { name: 'x', language: 'python' }, language_info: { name: 'pyspark' } }],
		[{ language_info: { name: 'x', codemirror_mode: { name: 'ipython', version: 3 } } }],
		[{ language_info: { name: 'x', codemirror_mode: 'python' } }],
		[{ language_info: { name: 'x', mimetype: info.mimetype } }],
		[{ language_info: { name: 'x', file_extension: info.file_extension } }],
		[{ kernelspec: { name: 'pysparkkernel', display_name: 'PySpark' } }],
		[{ kernelspec: { name: 'my-env', language: '' }, language_info: info }],
	])('is Python where anything says so: %j', (metadata) => {
		expect(convert(notebookOf(['x = 1'], metadata)).text).toBe('\n# Cell 1\nx = 1\n');
	});

	it.each([
		[{ kernelspec: { name: 'ir', display_name: 'R' } }, 'R'],
		[{ kernelspec: { name: 'conda-env-python3-r', display_name: 'R', language: 'R' } }, 'R'],
		[{ language_info: { file_extension: '.scala' } }, '.scala'],
		[{ language_info: { codemirror_mode: 'text/x-scala', mimetype: 'text/x-scala' } }, /scala/],
		[{ kernelspec: { name: 'spylon-kernel' } }, 'spylon-kernel'],
	])('is another one where it is said in any other way: %j', (metadata, language) => {
		const problem = problemOf(notebookOf(['x <- 1'], metadata));
		expect(problem).toMatch(/^is written in .*: only Python can be run$/);
		expect(problem).toMatch(language);
	});
});

it('reads a notebook of PySpark', () => {
	expect(convert(saved('pyspark-kernel')).text).toBe('\n# Cell 1\nprint(spark.range(3).count())\n');
});

describe('what IPython offers to code', () => {
	it('is left out where an exported notebook calls a command', () => {
		const code =
			'get_ipython().run_line_magic("pip",\n  "install h3")\nx = get_ipython().getoutput("ls")\ny = 1';
		const { text, leftOut } = convert(notebookOf([code]));
		expect(text).toMatch(/# Cell 1\n(?:(?:pass {2})?# .*\n){3}y = 1\n$/);
		expect(leftOut).toEqual([
			'cell 1: get_ipython().run_line_magic("pip",',
			'cell 1: x = get_ipython().getoutput("ls")',
		]);
	});

	it('is nothing in a job run, as code that looks for a notebook expects', () => {
		const code = 'is_colab = "google.colab" in str(get_ipython())';
		expect(scriptOf(code)).toMatch(/def get_ipython\(\):\n {8}return None\n[^]*is_colab = /);
	});
});
