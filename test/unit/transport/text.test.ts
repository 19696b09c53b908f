import { bounded, clean, lines, text, visibleText } from '../../../nodes/Wherobots/transport/text';

describe('text from outside', () => {
	it.each([
		[' a\n\tb\u2028c \ud800 d ', 'a b c d'],
		['x'.repeat(500), 'x'.repeat(500)],
		['x'.repeat(501), `${'x'.repeat(500)}…`],
		[`${'x'.repeat(499)}🗺 and more`, `${'x'.repeat(499)}…`],
		[`${' '.repeat(3000)}late`, ''],
	])('becomes one short line: %#', (value, expected) => {
		expect(clean(value)).toBe(expected);
	});

	it('is cut without half a character at its end', () => {
		expect(bounded('ab🗺', 3)).toBe('ab…');
		expect(bounded('a\ud800bcd', 4)).toBe('a\ud800bc…');
		expect(bounded('abc', 3)).toBe('abc');
	});

	it('is a text or a number, or none', () => {
		expect([text(' a '), text(7), text(null), text(['a']), text(true)]).toEqual([
			...['a', '7', '', '', ''],
		]);
		expect(lines('a', '', false, undefined, 'b')).toBe('a\nb');
	});

	it.each([
		['<p>a</p> b', ' a  b'],
		['a<script>x</script>b', 'a  b'],
		['a<STYLE type="x">x</style>b', 'a  b'],
		['a<script>x', 'a '],
		['a<scripts>b', 'a b'],
		['a<script</script>b', 'a  b'],
		['1 < 2', '1 < 2'],
	])('of the page %j is %j', (page, expected) => {
		expect(visibleText(page)).toBe(expected);
	});

	it('of a page is looked for at its beginning', () => {
		expect(visibleText('x'.repeat(70_000))).toHaveLength(64 * 1024);
	});
});
