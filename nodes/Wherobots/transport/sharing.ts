/** What one poll of an account has just read serves the others, which would ask for exactly that. */
import { clock } from './clock';

/** How old a reading may be, in milliseconds: events come later by half of that on average. */
const MAX_AGE_MS = 10_000;

/**
 * The same for a trigger that has just been started, whose next poll reads anew: n8n starts triggers one
 * after the other, and after a pause the lists are long.
 */
const MAX_AGE_AT_START_MS = 60_000;

/** How many characters are kept; the oldest readings go. */
const MAX_LENGTH = 16_000_000;

/** A response as it came, which each poll parses for itself. */
interface SharedText {
	text: string;
	/** The `Date` of the response. */
	date?: string;
	/** Whose key it was read with, if that is certain. */
	account?: string;
}

interface Reading {
	/** When its last attempt was sent, by `clock.monotonic`; undefined while it waits for the rate limit. */
	sentAt?: number;
	/** When its result arrived. */
	arrivedAt?: number;
	length: number;
	result: Promise<SharedText>;
}

/** By account and request. A failure serves those who wait for it, and is not kept. */
const readings = new Map<string, Reading>();

/** The readings that one poll may use, its own or those of others. */
export class SharedReadings {
	/** When the last one of each place that it has used arrived: what it asks for there next was sent later. */
	private readonly used = new Map<string, number>();

	/**
	 * @param since it uses none that was sent by then, by `clock.monotonic`
	 * @param isStart whether n8n has just started the trigger
	 */
	constructor(
		private readonly since: number,
		private readonly isStart = false,
	) {}

	/**
	 * A reading, made if there is none yet.
	 *
	 * @param place what is asked for, as a whole: a list, of which each request may have a page. An older page
	 * after a newer one would lack what has moved from one to the other.
	 * @param key of the account and the request
	 * @param make calls `onSend` when it sends the request
	 * @param inTime waits for what another poll makes, which may have more time
	 * @throws what `make` and `inTime` do
	 */
	async read(
		place: string,
		key: string,
		make: (onSend: () => void) => Promise<SharedText>,
		inTime: (made: Promise<SharedText>) => Promise<SharedText>,
	): Promise<SharedText> {
		const shared = readings.get(key);
		const isShared = shared && this.isNew(place, shared);
		const reading = isShared ? shared : createReading(key, make);
		const result = await (isShared ? inTime(reading.result) : reading.result);
		this.used.set(place, Math.max(this.used.get(place) ?? 0, reading.arrivedAt as number));
		return result;
	}

	/** What has not been sent yet will show the present. */
	private isNew(place: string, { sentAt = Infinity }: Reading): boolean {
		const maxAgeMs = this.isStart ? MAX_AGE_AT_START_MS : MAX_AGE_MS;
		const oldest = Math.max(this.since, clock.monotonic() - maxAgeMs);
		return sentAt > oldest && sentAt >= (this.used.get(place) ?? oldest);
	}
}

/** Forgets everything, as a restart of n8n does. */
export function forgetReadings(): void {
	readings.clear();
}

function createReading(key: string, make: (onSend: () => void) => Promise<SharedText>): Reading {
	readings.delete(key);
	removeOld();
	const made = make(() => (reading.sentAt = clock.monotonic()));
	const reading: Reading = { length: 0, result: made };
	reading.result = made.finally(() => (reading.arrivedAt = clock.monotonic()));
	readings.set(key, reading);
	reading.result.then(
		({ text }) => (reading.length = text.length),
		() => {
			if (readings.get(key) === reading) readings.delete(key);
		},
	);
	return reading;
}

function removeOld(): void {
	const oldest = clock.monotonic() - MAX_AGE_AT_START_MS;
	let left = [...readings.values()].reduce((sum, { length }) => sum + length, 0);
	for (const [key, { sentAt = Infinity, length }] of readings) {
		if (sentAt >= oldest && left <= MAX_LENGTH) continue;
		readings.delete(key);
		left -= length;
	}
}
