/** Python in the cells of notebooks: what of it has a value, and what Python refuses. */
import { convertNotebook, type Script } from '../../../../nodes/Wherobots/service/runs/notebooks';
import { notebookOf } from '../../../support/notebooks';

const convert = (text: string) => convertNotebook(text, {}, true) as Script;
/** The script for these cells, and one without a value to show. */
const scriptOf = (...cells: string[]) => convert(notebookOf([...cells, 'x = 0'])).text;
const problemOf = (text: string) =>
	(convertNotebook(text, {}, true) as { problem: string }).problem;

describe('the value of the last expression of a cell', () => {
	it.each([
		['x', 'displayhook(x)'],
		['x == 1  # yes?', 'displayhook(x == 1)  # yes?'],
		['a, b', 'displayhook((a, b))'],
		['import a; a.b()', 'import a; displayhook(a.b())'],
		['(frame\n  .head()  # first\n)', 'displayhook((frame\n  .head()  # first\n))'],
		['f(x=1,\n  y=2)', 'displayhook(f(x=1,\n  y=2))'],
		['%time f(x)', 'displayhook(f(x))'],
	])('is printed: %j', (code, printed) => {
		expect(scriptOf(code)).toContain(`# Cell 1\n${printed}\n`);
		expect(scriptOf(`z = 1\n${code}\n\n# End`)).toContain(`z = 1\n${printed}\n\n# End\n`);
	});

	it.each([
		['x;'],
		['x;  # hidden'],
		['x = 1'],
		['x += 1'],
		['x //= 1'],
		['x: int'],
		['x\ny = 1'],
		['print(x)'],
		['if x: y'],
		['for x in y:\n    x'],
		['with a: b; c'],
		['x\n!ls'],
		['%%capture\nx'],
		['view = SedonaKepler.create_map()\nframe = 1\nview'],
	])('is not where Jupyter shows none, or a map: %j', (code) => {
		expect(scriptOf(code)).not.toContain('displayhook');
	});
});

describe('a cell that Python cannot run', () => {
	it('is refused with its number and that of the line', () => {
		expect(problemOf(notebookOf(['x = 1', '%%time\n\nawait z']))).toBe(
			'Python cannot run: cell 2 has "await" outside of a function on line 3. Correct the cell, or give it the tag "skip-execution"',
		);
	});

	it.each([
		['x = 1\nasync for y in z: pass', 'has "async" outside of a function on line 2'],
		['if x:\n    return 1', 'has "return" outside of a function on line 2'],
		['print "hello"', 'has a Python 2 print statement on line 1'],
		['%sql\nSELECT count(*) AS wells', 'has no operator between SELECT and count on line 2'],
		['val x = 1', 'has no operator between val and x on line 1'],
		['echo $HOME', 'has the character "$" on line 1'],
		['print(“a”)', 'has the character "“" on line 1'],
		['x = (1,\n  2', 'has a bracket "(" that is not closed on line 1'],
		['x = [1)', 'has a bracket ")" without an opening one on line 1'],
		['x = "a', 'has an unterminated string on line 1'],
		['x = """a\n\n', 'has an unterminated string on line 1'],
		['def f():\n    pass\nreturn 1', 'has "return" outside of a function on line 3'],
		['cd ../', 'has nothing after "/" on line 1'],
		['d = 1\n= 2', 'has nothing before "=" on line 2'],
		['x = "\u0000"', 'has a null character on line 1'],
	])('for %j', (code, problem) => {
		expect(problemOf(notebookOf(['x = 1', code]))).toBe(
			`Python cannot run: cell 2 ${problem}. Correct the cell, or give it the tag "skip-execution"`,
		);
	});

	it.each([
		['def f():\n    def g():\n        pass\n\n    return g'],
		['type X = int'],
		['x = "a" "b"\ny = f"{x["a"]}"'],
		['x = 1. if y else .5j'],
		['if x:\n\ty = 1\n\tz = 2'],
		['x = [a for *b, c in d]\nprint(*x, sep="")'],
		['if x:\n    !ls\nelse:\n    %time f(\n        1)'],
	])('is not: %j', (code) => {
		expect(scriptOf(code)).toContain('# Cell 1');
	});

	it('may fail if the notebook expects that', () => {
		const { text } = convert(
			notebookOf([{ code: 'print "1"', tags: ['raises-exception'] }, 'x = 1']),
		);
		expect(text).toContain('compile("print \\"1\\"\\n", "cell 1", "exec")');
		expect(text).toContain('\n# Cell 2\nx = 1\n');
	});
});

it.each(
	[
		...['x_y', 'x_=_y', 'x = _%_', 'display(x)_.y', '_x = 1_', 'x = """_\'"_"""', '%time_'],
		...['#_\n_%%sql', 'x = _', 'get_ipython()_.', 'from_', 'view_= SedonaKepler.x', '>>> x\n_.'],
	].map((code) => [code]),
)('takes no longer for a space among many: %j', (code) => {
	const before = process.cpuUsage();
	convert(notebookOf([code.replaceAll('_', ' '.repeat(100_000)), 'x = 1']));
	// With a step for each pair of spaces, it is minutes.
	expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
});
