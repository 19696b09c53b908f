/** What a program returns as data: the text after `N8N_OUTPUT` at the beginning of a line of its log. */
import { parseLogged, removeCodes, toShown } from './logLines';

const MARKER = 'N8N_OUTPUT';

/** The marker and the rest of its line, which may be one of several in a text of the log. */
const OUTPUT = new RegExp(`${MARKER}(?=\\s|$)([^\\r\\n]*)`, 'g');

/** The text after the marker on the last line that begins with it; undefined if none does. */
export function findOutput(log: readonly string[]): string | undefined {
	return log
		.filter((lines) => lines.includes(MARKER))
		.flatMap((lines) =>
			[...lines.matchAll(OUTPUT)]
				.filter(({ index }) => isNoText(lines.slice(lines.lastIndexOf('\n', index) + 1, index)))
				.map(([, text]) => removeCodes(text).trim()),
		)
		.at(-1);
}

const TIME = /^[[(]?\d[\d\s:.,/TZ+|\])-]*$/;

/** After the level in a program's log. */
const THREAD = /^\[[^\]]*\]\s*/;
const LOGGER = /^(?:[\w.$:/<>-]*\s?[-:|\]])?$/;

/**
 * Whether the beginning of a line is not the program's own text, but of its logger or a terminal. Spaces
 * are: they indent source code, as in a traceback.
 */
function isNoText(start: string): boolean {
	const shown = toShown(start);
	if (shown === '') return start.trim() !== '' || !/[ \t]$/.test(start);
	const logged = parseLogged(shown);
	if (logged) return LOGGER.test(logged.text.replace(THREAD, ''));
	return TIME.test(shown) && shown.includes(':');
}
