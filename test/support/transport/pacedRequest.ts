import type { SendResult } from '../../../nodes/Wherobots/transport/http';
import { sendPaced, type PacedRequest } from '../../../nodes/Wherobots/transport/pace/pacedRequest';
import { RateLimiter } from '../../../nodes/Wherobots/transport/pace/rateLimit';
import type { VirtualTime } from '../virtualTime';

export const ok: SendResult = { kind: 'json', body: { a: 1 } };
export const status = (code: number, retryAfter?: string): SendResult => ({
	kind: 'response',
	status: code,
	text: '',
	contentType: '',
	retryAfter,
});
export const lost: SendResult = { kind: 'network', code: 'ECONNRESET', detail: '' };

type Change = Partial<PacedRequest> & { takesMs?: number };

/** Sends requests whose attempts end like this, the last one again and again. */
export const sendingIn =
	(time: VirtualTime) =>
	(results: SendResult[], change: Change = {}) => {
		const sentAt: number[] = [];
		const leftAt: number[] = [];
		const limiter = new RateLimiter(100, 5_000);
		const request: PacedRequest = {
			endpoint: { retry: 'repeatable' },
			limiter: () => limiter,
			deadline: Infinity,
			send: async (leftMs) => {
				sentAt.push(time.now);
				leftAt.push(leftMs);
				if (change.takesMs) await time.pause(change.takesMs);
				return results[Math.min(sentAt.length, results.length) - 1];
			},
			...change,
		};
		return { done: time.during(sendPaced(request)), sentAt, leftAt, limiter };
	};
