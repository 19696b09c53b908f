/** Every pattern of the shipped code × the texts that take it longest. */
import vm from 'node:vm';

import { check } from 'recheck';

import { runs } from '../../support/runs';
import { shippedPatterns, type ShippedPattern } from '../../support/shippedSources';

const LENGTH = 100_000;

/** A pattern needs milliseconds where its time is in proportion to the text, and seconds where it is not. */
const LIMIT_MS = 1_500;

/** What patterns that are too much for `check` may stumble over. */
const UNITS = [
	...'a \t\n01=/\\_-.,"\'`([{<&%?:',
	...['a ', '0,', '0:', '"\\', '?a', '[0', '(a', 'a=', '#\n', ' \n', 'at a('],
];

const generalTexts = UNITS.flatMap((unit) => {
	const repeated = unit.repeat(LENGTH / unit.length);
	return [`${repeated}\u0000`, `0.${repeated}!`];
});

/** The worst text that [recheck](https://makenowjust-labs.github.io/recheck/) finds for a pattern. */
async function worstText({ source, flags }: ShippedPattern): Promise<string[]> {
	const found = await check(source, flags, { timeout: runs(300, 20_000) });
	if (found.status !== 'vulnerable') return [];
	const { pumps, suffix } = found.attack;
	const each = LENGTH / pumps.length;
	return [
		pumps.map(({ prefix, pump }) => prefix + pump.repeat(each / pump.length)).join('') + suffix,
	];
}

const context = vm.createContext({}) as { text?: string; pattern?: RegExp };
const goThrough = new vm.Script('text.replace(pattern, "")');

/** Whether a pattern goes through a text in time. On a busy machine, it may need another attempt. */
function isQuick({ source, flags }: ShippedPattern, text: string): boolean {
	const attempt = () => {
		Object.assign(context, { text, pattern: new RegExp(source, flags) });
		try {
			goThrough.runInContext(context, { timeout: LIMIT_MS });
			return true;
		} catch {
			return false;
		}
	};
	return attempt() || attempt();
}

it('no pattern takes long with 100 kB of anything', async () => {
	const patterns = await shippedPatterns();
	expect(patterns.length).toBeGreaterThan(200);
	const slow: string[] = [];
	for (const pattern of patterns) {
		const texts = [...(await worstText(pattern)), ...generalTexts];
		const worst = texts.find((text) => !isQuick(pattern, text));
		if (worst === undefined) continue;
		slow.push(`${pattern.at} /${pattern.source}/ ${JSON.stringify(worst.slice(0, 30))}…`);
	}
	expect(slow).toEqual([]);
}, 900_000);
