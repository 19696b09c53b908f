import { findOutput } from '../../../../nodes/Wherobots/service/runs/logLines';

const ESCAPE = String.fromCharCode(27);
const JSON_TEXT = '{"rows": 0}';
const LINE = `N8N_OUTPUT ${JSON_TEXT}`;

describe('the output of a program in its log', () => {
	it.each([
		['a line of its own', LINE],
		['a line that ends as on Windows', `${LINE}\r`],
		['a tab instead of a space', `N8N_OUTPUT\t${JSON_TEXT}  `],
		['the last of several lines in one record', `starting\nN8N_OUTPUT 1\n${LINE}\ndone`],
		['colors', `${ESCAPE}[32mN8N_OUTPUT ${ESCAPE}[1m${JSON_TEXT}${ESCAPE}[0m`],
		['what a terminal overwrites', `\r 10%|#  | 1/9 [00:01<00:09,  9.87it/s]\r${LINE}`],
		["Spark's progress before it", `\r[Stage 7:=====>      (3 + 4) / 8]${LINE}`],
		['a progress bar after it', `${LINE}\r 10%|#  | 1/9 [00:01<00:09,  9.87it/s]`],
		['a time', `2026-11-25T03:00:04.123Z ${LINE}`],
		['a time in brackets', `[2026-11-25 03:00:04,123] ${LINE}`],
		["Python's logger, unformatted", `INFO:root:${LINE}`],
		["Python's logger with times", `2026-11-25 03:00:04,123 - etl - INFO - ${LINE}`],
		["Python's logger with a name", `2026-11-25 03:00:04,123 INFO etl.tiles: ${LINE}`],
		['loguru', `2026-11-25 03:00:04.123 | INFO     | __main__:main:12 - ${LINE}`],
		['log4j', `26/11/25 03:00:04 INFO TilesJob$: ${LINE}`],
		['logback', `03:00:04.123 [main] INFO  com.acme.TilesJob - ${LINE}`],
		['log4j with a thread', `2026-11-25 03:00:04 WARN [Thread pool 3] com.acme.Job - ${LINE}`],
		['a level alone', `[INFO] ${LINE}`],
	])('is found with %s', (_, raw) => {
		expect(findOutput(['before', raw, 'after'])).toBe(JSON_TEXT);
	});

	it.each([
		['the source code of a script', `print("${LINE}")`],
		['the source line of a traceback', '    N8N_OUTPUT = json.dumps(result)'],
		['an indented line of a traceback', `    print("N8N_OUTPUT", json.dumps(result))`],
		['a console', `>>> print('${LINE}')`],
		['a shell that shows its commands', `+ echo ${LINE}`],
		['a list of arguments', `26/11/25 03:00:04 INFO Driver: Arguments ["${LINE}"]`],
		['a sentence', `26/11/25 03:00:04 INFO Driver: could not parse ${LINE}`],
		['a sentence of no logger', `the last line was ${LINE}`],
		['a listing with numbers of lines', `12 ${LINE}`],
		['another word', `N8N_OUTPUT_FILE ${JSON_TEXT}`],
		['the value of a variable', `N8N_OUTPUT=${JSON_TEXT}`],
	])('is not %s', (_, raw) => {
		expect(findOutput([raw])).toBeUndefined();
	});

	it('is the last one, whether it can be read or not', () => {
		expect(findOutput([LINE, 'N8N_OUTPUT {'])).toBe('{');
		expect(findOutput(['N8N_OUTPUT 1', LINE, ' }'])).toBe(JSON_TEXT);
		expect(findOutput([LINE, 'N8N_OUTPUT'])).toBe('');
		expect(findOutput(['nothing'])).toBeUndefined();
	});
});
