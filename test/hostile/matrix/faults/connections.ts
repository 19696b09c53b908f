/** Connections that break, stall or lead elsewhere. */
import { inGroup, type MatrixFault } from './types';
import { LOST, SILENT, status } from './words';

const GROUP = 'Connection';
const lost = inGroup(GROUP, { expect: 'error', cause: LOST, ambiguous: true });
const silent = inGroup(GROUP, { expect: 'error', cause: SILENT, ambiguous: true, slow: true });
const redirect = inGroup(GROUP, { expect: 'error', cause: /redirects to another address/ });

const once = { times: 1, expect: 'result' } as const;

export const connections: MatrixFault[] = [
	...(['before', 'after'] as const).flatMap((when) => [
		lost(`reset ${when} handling, once`, { kind: 'reset', when }, once),
		lost(`reset ${when} handling`, { kind: 'reset', when }),
		silent(`no response, ${when === 'before' ? 'not' : 'but'} handled`, { kind: 'hang', when }),
	]),
	silent('no response, once', { kind: 'hang' }, once),
	silent('stalls within the body', { kind: 'stall', bytes: 30 }),
	silent('stalls within the body, once', { kind: 'stall', bytes: 30 }, once),
	inGroup(GROUP, { expect: 'result', cause: SILENT, slow: true })('trickles to its end', {
		kind: 'trickle',
		bytes: 20_000,
		everyMs: 5,
	}),
	silent(
		'trickles endlessly',
		{ kind: 'trickle', bytes: 1, everyMs: 20 },
		{ expect: 'either', jsonOnly: true },
	),
	...(['reset', 'close'] as const).map((how) =>
		lost(`body truncated by a ${how}`, { kind: 'cut', bytes: 25, how }),
	),
	lost('body truncated by a reset, once', { kind: 'cut', bytes: 25, how: 'reset' }, once),
	...[302, 308].map((code) =>
		redirect(
			`redirect to another host (${code})`,
			({ elsewhere }) => status(code, { body: 'empty', headers: { location: elsewhere } }),
			{ redirects: true },
		),
	),
];
