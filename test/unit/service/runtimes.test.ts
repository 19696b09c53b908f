import { KNOWN_RUNTIMES, runtimeName } from '../../../nodes/Wherobots/service/deployment';

it.each([
	['tiny', 'Tiny'],
	['2x-large-himem', '2X-Large-HiMem'],
	['x-large-hicpu', 'X-Large-HiCPU'],
	['micro-a10-gpu', 'Micro-A10-GPU'],
	['x-large-matcher', 'X-Large-Matcher'],
	['XXLARGE', 'XXLARGE'],
	['new-4x', 'New-4X'],
])('the runtime %s is called %s', (id, name) => {
	expect(runtimeName(id)).toBe(name);
});

it('every runtime is listed once, with its name and family', () => {
	expect(new Set(KNOWN_RUNTIMES.map(({ id }) => id)).size).toBe(KNOWN_RUNTIMES.length);
	expect(KNOWN_RUNTIMES).toContainEqual({ id: 'tiny', name: 'Tiny', family: 'General purpose' });
});
