import type { NodeApiError } from 'n8n-workflow';

import type { Call, Outcome } from '../../../../nodes/Wherobots/actions/operations/operation';
import { factsOf } from '../../../../nodes/Wherobots/transport/failures/errors';
import { failureOf, items, refusal, running, turn } from '../../../support/runOperation';

describe('writes', () => {
	/** Notes what happens, and fails at the given event. */
	const noting =
		(events: string[], failing = '') =>
		async ({ itemIndex, noteCreated, noteUncertain }: Call): Promise<Outcome> => {
			const note = (what: string) => {
				events.push(`${what} ${itemIndex}`);
				if (`${what} ${itemIndex}` === failing) throw refusal();
			};
			await turn();
			note('check');
			const submit = async () => {
				await turn();
				noteUncertain({ name: `n${itemIndex}` });
				note('send');
				noteCreated({ id: `r${itemIndex}` });
				const finish = async () => {
					await turn();
					note('finish');
					return items(itemIndex);
				};
				return { finish };
			};
			return { submit };
		};

	it('are all checked, then sent one after the other, then waited for side by side', async () => {
		const events: string[] = [];
		const output = await running('write', 2, noting(events));
		const expected = ['check', 'send', 'finish'].flatMap((what) => [`${what} 0`, `${what} 1`]);
		expect(events).toEqual(expected);
		expect(output.map(({ json }) => json.name)).toEqual([0, 1]);
	});

	it('are not sent when the input of one is wrong', async () => {
		const events: string[] = [];
		await failureOf(running('write', 3, noting(events, 'check 1')));
		expect(events).toEqual(['check 0', 'check 1']);
	});

	it('run to their end when another one fails, and its error names them', async () => {
		const events: string[] = [];
		const error = await failureOf(running('write', 3, noting(events, 'send 1')));
		expect(events).toEqual(['check 0', 'check 1', 'check 2', 'send 0', 'send 1', 'finish 0']);
		expect(factsOf(error as NodeApiError)).toEqual({ alsoCreated: [{ id: 'r0', itemIndex: 0 }] });
	});

	it('are named when a later wait fails as well, including those that are uncertain', async () => {
		const error = await failureOf(
			running('write', 2, async (call) => {
				const step = await noting([], 'finish 0')(call);
				call.noteUncertain({ name: `open ${call.itemIndex}` });
				return step;
			}),
		);
		expect(factsOf(error as NodeApiError)).toEqual({ alsoCreated: [{ id: 'r1', itemIndex: 1 }] });
		const open = await failureOf(
			running('write', 2, async (call) => {
				call.noteUncertain({ name: `open ${call.itemIndex}` });
				if (call.itemIndex === 1) throw refusal();
				return await Promise.resolve([]);
			}),
		);
		expect(factsOf(open as NodeApiError)).toEqual({
			alsoAmbiguous: [{ name: 'open 0', itemIndex: 0 }],
		});
	});

	it('continue after a failure where the node does, and no error names any', async () => {
		const events: string[] = [];
		const output = await running('write', 3, noting(events, 'send 1'), { goesOn: true });
		expect(events.filter((event) => !event.startsWith('check'))).toEqual([
			...['send 0', 'send 1', 'send 2'],
			...['finish 0', 'finish 2'],
		]);
		expect(output[1].json).toEqual({ error: { message: 'No' } });
	});
});
