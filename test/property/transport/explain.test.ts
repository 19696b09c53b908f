import fc from 'fast-check';

import { Failure, type FailureParts } from '../../../nodes/Wherobots/transport/failure';
import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import { describeFailed, addRecoveryHint } from '../../../nodes/Wherobots/transport/explain';
import type { BadResponse } from '../../../nodes/Wherobots/transport/http';
import { describeNetwork } from '../../../nodes/Wherobots/transport/retry';
import { forAll, USUALLY } from '../../support/forAll';

/** More than a person reads and less than a log suffers from. */
const MAX_MESSAGE = 800;
const MAX_DESCRIPTION = 8_000;

const endpoint = fc.constantFrom(...Object.values(endpoints));
const json = fc.jsonValue({ maxDepth: 2 });
const hostileKeys = fc.constantFrom('toString', 'valueOf', '__proto__', 'constructor', 'length');
const hostile = fc.oneof(json, fc.dictionary(hostileKeys, json));

/** Bodies that look like the service's, with anything in their fields. */
const envelope = fc.record(
	{
		errors: fc.oneof(
			hostile,
			fc.array(
				fc.oneof(
					hostile,
					fc.record(
						{
							code: hostile,
							message: hostile,
							details: hostile,
							path: hostile,
							suggestion: hostile,
							documentation_url: hostile,
							field: hostile,
						},
						{ requiredKeys: [] },
					),
				),
			),
		),
		requestId: hostile,
		detail: fc.oneof(hostile, fc.array(fc.record({ msg: hostile, loc: fc.array(hostile) }))),
		message: hostile,
	},
	{ requiredKeys: [] },
);

const text = fc.oneof(
	envelope.map((body) => JSON.stringify(body)),
	fc.json(),
	fc.string({ unit: 'binary', maxLength: 3_000 }),
	fc.string({ unit: fc.constantFrom('<', '>', 'script', '</script>', '<!--', 'x', '\n') }),
);

const responses: fc.Arbitrary<BadResponse> = fc.record(
	{
		status: fc.oneof(fc.integer({ min: 100, max: 599 }), fc.constantFrom(401, 403, 404, 422, 500)),
		contentType: fc.constantFrom('', 'application/json', 'text/html; charset=utf-8', 'text/plain'),
		text,
		location: fc.string(),
	},
	{ requiredKeys: ['status', 'contentType', 'text'] },
);

function expectReadable({ codes, ...parts }: FailureParts): void {
	const failure = new Failure(parts);
	expect(failure.message.trim()).not.toBe('');
	for (const [line, max] of [
		[failure.message, MAX_MESSAGE],
		[failure.description, MAX_DESCRIPTION],
	] as const) {
		expect(line.length).toBeLessThanOrEqual(max);
		expect(line).not.toMatch(/[^\P{Cc}\n]/u);
		expect(line).not.toMatch(/\p{Cs}/u);
	}
	expect(failure.message).not.toContain('\n');
	expect(codes?.length ?? 0).toBeLessThanOrEqual(50);
}

describe('descriptions of failures', () => {
	it('are readable and bounded for any response', async () =>
		await forAll([endpoint, responses], 500, (to, response) => {
			expectReadable(describeFailed(to, response));
		}));

	it('are readable and bounded for any network failure and anything to look for', async () =>
		await forAll([fc.string(), fc.string({ unit: 'binary' })], USUALLY, (code, detail) => {
			const failure = describeNetwork(code, detail);
			expectReadable(failure);
			const attempt = { kind: 'network', code } as const;
			const unclear = addRecoveryHint(failure, attempt, 'a job run named "x"');
			expectReadable(unclear);
			expect(unclear.nextStep).toContain('look for a job run named "x"');
		}));

	it.each(['<', '<script', '<style ', '<a ', '&<!--'])(
		'do not take long for a megabyte of "%s"',
		(piece) => {
			const page = piece.repeat(1_000_000 / piece.length);
			const startedAt = performance.now();
			describeFailed(endpoints.getRun, { status: 404, contentType: 'text/html', text: page });
			expect(performance.now() - startedAt).toBeLessThan(10_000);
		},
	);
});
