import { explainFailure } from '../../../nodes/Wherobots/service/failedRun';
import { shownLines } from '../../../nodes/Wherobots/service/logLines';
import { failedLogs } from '../../support/failedLogs';

const explain = (raws: string[]) =>
	explainFailure(shownLines(raws.map((raw) => ({ timestamp: 1, raw }))).map(({ raw }) => raw));

describe('why a run failed, by its log', () => {
	it.each(failedLogs)('$title', ({ lines, says, shows, hides }) => {
		const { excerpt, ...found } = explain(lines);
		expect(found).toEqual(says);
		expect(excerpt.length).toBeLessThanOrEqual(50);
		const shown = excerpt.join('\n');
		for (const line of shows) expect(shown).toContain(line);
		for (const line of hides) expect(shown).not.toContain(line);
		expect(excerpt.length > 0).toBe(says.location !== undefined || shows.length > 0);
	});
});
