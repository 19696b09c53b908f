import type { CallOptions, Client } from '../../../../nodes/Wherobots/transport/client';
import { JobRun } from '../../../../nodes/Wherobots/service/records/jobRun';
import { explainRun } from '../../../../nodes/Wherobots/useCases/runs/explainRun';

it('a thousand pages of a thousand lines are read for an output at their end, and no more', async () => {
	const reading = async (pages: number) => {
		let read = 0;
		const client = {
			call: async (_: string, { query }: CallOptions) => {
				const page = Number(query?.cursor);
				expect(query?.size).toBe(1_000);
				read += 1;
				const items = page < pages ? [{ timestamp: page, raw: `N8N_OUTPUT ${page}` }] : [];
				return await Promise.resolve({ items, next_page: Math.min(page + 1, pages) });
			},
			withoutSecrets: <T>(value: T) => value,
			serviceNow: () => 0,
		};
		const run = new JobRun({ id: 'r1', status: 'COMPLETED' });
		const options = { lines: 0, quietMs: 0, includeOutput: true };
		const { output } = await explainRun(client as unknown as Client, run, options);
		return { ...output, read };
	};
	expect(await reading(1_000)).toEqual({ output: 999, read: 1_001 });
	expect(await reading(5_000)).toEqual({
		output: null,
		outputProblem: expect.stringContaining('over a million lines'),
		read: 1_001,
	});
});
