import type { NodeApiError } from 'n8n-workflow';

import { parseServiceTime } from '../../service/time/time';
import type { Client } from '../client';
import { clock } from '../clock';
import { addFacts, addNote, explanationOf, isAmbiguous } from '../errors';
import type { RecordFacts } from '../facts';
import { settled } from '../settled';

/**
 * Waits before each look at the service's list, in milliseconds. A list may lag behind what was
 * created; what it does not show after these is reported as not found.
 */
const WAITS_MS = [0, 2_000, 4_000, 8_000];

/** Times in records may be cut to whole seconds, and so is the `Date` of a response. */
const TIME_STEP_MS = 1_000;

/** Most records that are compared in full; so many new ones of one name tell nothing apart. */
const MAX_COMPARED = 20;

/** How a record that a lost response would have named is found again. */
export interface Search<T> {
	/** What was to be created, for messages: `job run`. */
	kind: string;
	/**
	 * The records among which it would be.
	 *
	 * @param since when the request was sent by the service's clock (ms since the epoch), when known
	 */
	list(since: number | undefined): Promise<T[]>;
	/** When the service created a record, in its own notation. */
	createdAt(record: T): unknown;
	/** The record in full when it agrees with the request in everything that was sent. */
	compare(record: T): Promise<T | undefined>;
	facts(record: T): RecordFacts;
	/** Whether the node can go on with the record that was found; otherwise it is only named. */
	canGoOn: boolean;
}

/** More records than this are not remembered: the oldest are forgotten. */
const MAX_KNOWN = 5_000;

/** What this process has created, by address, kind and ID: never what another request has lost. */
const known = new Set<string>();

/** A creating request whose response was lost. */
export interface LostResponse {
	/** The error that the request failed with. */
	error: NodeApiError;
	/** When it was sent, on the monotonic clock. */
	sentAt: number;
}

/**
 * Sends a creating request, and when its response is lost looks for what it may have created
 * (docs/adr/0006-lost-responses.md).
 *
 * @param send sends the request; calls `onSend` as each attempt is sent
 * @param onLost is told of a lost response before it is looked for
 * @throws NodeApiError as the request did, with what was found, unless it is certain what it created
 */
export async function createOnce<T>(
	client: Client,
	send: (onSend: () => void) => Promise<T>,
	search: Search<T>,
	onLost: (lost: LostResponse) => void = () => undefined,
): Promise<{ record: T; recovered: boolean }> {
	let sentAt = clock.monotonic();
	const sent = await settled(send(() => (sentAt = clock.monotonic())));
	if (sent.ok) {
		noteKnown(client, sent.value, search);
		return { record: sent.value, recovered: false };
	}
	if (!isAmbiguous(sent.error)) throw sent.error;
	const lost = { error: sent.error, sentAt };
	onLost(lost);
	return { record: await findLost(client, lost, search), recovered: true };
}

/**
 * The record that a request whose response was lost has created: the only one that agrees with the
 * request and was created since it was sent.
 *
 * @throws NodeApiError the error of the request, with what was found, when there is not exactly one
 * @throws CancelledError when the execution is cancelled
 */
export async function findLost<T>(
	client: Client,
	lost: LostResponse,
	search: Search<T>,
): Promise<T> {
	for (const waitMs of WAITS_MS) {
		await clock.pause(waitMs, client.signal);
		const found = await settled(look(client, lost.sentAt, search));
		if (!found.ok) {
			if (client.signal?.aborted) throw found.error;
			throw unresolved(lost, `It could not be looked for: ${(found.error as Error).message}.`);
		}
		const records = found.value;
		if (records.length === 0) continue;
		const [record] = records;
		// Without the service's clock, a record of an earlier request looks the same.
		const isCertain = client.knowsServiceTime && timeOf(search.createdAt(record)) !== undefined;
		if (records.length === 1 && isCertain && search.canGoOn) {
			noteKnown(client, record, search);
			return record;
		}

		const candidates = records.map((each) => search.facts(each));
		addFacts(lost.error, { candidates });
		const ids = candidates.map(({ id }) => id).join(', ');
		throw unresolved(
			lost,
			records.length === 1
				? `It was looked for, and this ${search.kind} was found: ${ids}.`
				: `It was looked for, and ${records.length} of them were found: ${ids}.`,
		);
	}
	const seconds = Math.round(WAITS_MS.reduce((sum, ms) => sum + ms) / 1000);
	throw unresolved(lost, `It was looked for during ${seconds} seconds and not found.`);
}

async function look<T>(client: Client, sentAt: number, search: Search<T>): Promise<T[]> {
	const since = () =>
		client.knowsServiceTime
			? client.serviceNow() - (clock.monotonic() - sentAt) - TIME_STEP_MS
			: undefined;
	const listed = await search.list(since());
	// The list itself may have been the first response with the service's time.
	const begin = since() ?? -Infinity;
	const recent = listed.filter(
		(record) =>
			(timeOf(search.createdAt(record)) ?? Infinity) >= begin &&
			!known.has(keyOf(client, record, search)),
	);
	const compared: T[] = [];
	for (const record of recent.slice(0, MAX_COMPARED)) {
		const whole = await search.compare(record);
		if (whole !== undefined) compared.push(whole);
	}
	return compared;
}

function noteKnown<T>(client: Client, record: T, search: Search<T>): void {
	known.add(keyOf(client, record, search));
	if (known.size > MAX_KNOWN) known.delete([...known][0]);
}

function keyOf<T>({ baseUrl }: Client, record: T, { kind, facts }: Search<T>): string {
	return [baseUrl, kind, facts(record).id].join('\n');
}

function unresolved({ error }: LostResponse, note: string): NodeApiError {
	// The same may have been found at an earlier attempt.
	if (!explanationOf(error).includes(note)) addNote(error, note);
	return error;
}

/** Milliseconds since the epoch. */
function timeOf(value: unknown): number | undefined {
	const micros = parseServiceTime(value);
	return micros === undefined ? undefined : micros / 1000;
}
