import { suiteWithSandbox } from '../../../engine/harness/suite';
import { againstSession, frame, READ } from './againstSession';

const suite = suiteWithSandbox({ seed: 'empty' });
const { against } = againstSession(suite);

// Takes more memory than `npm test` may use.
it('a message that is far too long is not read', async () => {
	const { error } = await against(
		{ ...frame(undefined, 'succeeded'), fault: { kind: 'pad', bytes: 140 * 1024 * 1024 } },
		READ,
	);
	expect(error?.message).toMatch(/connection to the SQL session was lost/);
}, 120_000);
