import type {
	AcquireOptions,
	Place,
	RateLimiter,
} from '../../nodes/Wherobots/transport/pace/rateLimit';

/** A place of a limiter. Rejects when there is none in time. */
export async function placeOf(limiter: RateLimiter, options?: AcquireOptions): Promise<Place> {
	const admission = await limiter.acquire(options);
	if (!admission.admitted) throw new Error(`No place: ${JSON.stringify(admission)}`);
	return admission.place;
}
