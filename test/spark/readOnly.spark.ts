/** Read Only, judged by Spark's own parser in three versions. */
import { examine } from '../../nodes/Wherobots/service/sql/statements';
import { corpus } from './corpus';
import { GRAMMARS, SPARK } from './install';
import { runPython } from './programs';
import { describeWithSpark } from './suite';

/** It only reads, or is no statement of this Spark. */
const isHarmless = (verdict: string) => verdict === 'reads' || verdict === 'error';

describeWithSpark.each(GRAMMARS)('Spark %s', (version) => {
	const { reading, others } = corpus();
	const statements = [...reading, ...others];
	let judged: Array<{ statement: string; verdict: string; passes: boolean }>;

	beforeAll(async () => {
		const options = { version, withJars: version === SPARK };
		const verdicts = await runPython<string[]>('judge.py', statements, options);
		judged = statements.map((statement, at) => {
			return { statement, verdict: verdicts[at], passes: examine(statement).onlyReads };
		});
	});

	it('finds nothing that changes among what Read Only lets pass', () => {
		const changing = judged.filter(({ verdict }) => !isHarmless(verdict));
		expect(changing.filter(({ passes }) => passes)).toEqual([]);
		// Otherwise nothing was shown.
		expect(changing.length).toBeGreaterThan(500);
	});

	it('finds little that only reads among what Read Only refuses', () => {
		const reads = judged.filter(({ verdict }) => verdict === 'reads');
		const refused = reads.filter(({ passes }) => !passes);
		process.stdout.write(
			`Spark ${version}: Read Only refuses ${refused.length} of ${reads.length} statements that only read\n`,
		);
		expect(reads.length).toBeGreaterThan(1_000);
		expect(refused.length).toBeLessThan(reads.length / 20);
		const usual = new Set(reading);
		expect(refused.filter(({ statement }) => usual.has(statement))).toEqual([]);
	});
});
