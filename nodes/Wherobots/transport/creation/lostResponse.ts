import type { NodeApiError } from 'n8n-workflow';

import { parseServiceTime } from '../../service/time/time';
import type { Client } from '../client';
import { clock } from '../clock';
import { addFacts, addNote, explanationOf, isAmbiguous } from '../failures/errors';
import type { RecordFacts } from '../failures/facts';
import { toResult } from '../toResult';

/**
 * Waits before each look at the service's list, in milliseconds. A list may lag behind what was
 * created; what it does not show after these is reported as not found.
 */
const WAITS_MS = [0, 2_000, 4_000, 8_000];

/** Times in records may be cut to whole seconds, and so is the `Date` of a response. */
const TIME_STEP_MS = 1_000;

/** A record that is created this long after its response was lost is more likely of another request. */
const MAX_DELAY_MS = 5_000;

/** Most records that are compared in full; so many new ones of one name tell nothing apart. */
const MAX_COMPARED = 20;

/** A record that agrees with a request. */
export interface Compared<T> {
	record: T;
	/** It shows everything that was sent. */
	isWhole: boolean;
}

/** How a record that a lost response would have named is found again. */
export interface Search<T> {
	/** What was to be created, for messages: `job run`. */
	kind: string;
	/**
	 * The records among which it would be.
	 *
	 * @param client to read them with
	 * @param since when the request was sent by the service's clock (ms since the epoch), when known
	 */
	list(client: Client, since: number | undefined): Promise<T[]>;
	/** When the service created a record, in its own notation. */
	createdAt(record: T): unknown;
	/** The record as far as it can be read, when that agrees with the request. */
	compare(client: Client, record: T): Promise<Compared<T> | undefined>;
	facts(record: T): RecordFacts;
	/** Whether the node can go on with the record that was found; otherwise it is only named. */
	canAdopt: boolean;
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
	/** When it failed, on the same clock. */
	lostAt: number;
}

/** Records that agree with a request whose response was lost. */
interface Found<T> {
	/** What the service shows of them leaves no doubt, unless the same was requested elsewhere meanwhile. */
	sure: T[];
	/** They may be of this request or of another one. */
	doubtful: T[];
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
	const sent = await toResult(send(() => (sentAt = clock.monotonic())));
	if (sent.ok) {
		noteKnown(client, sent.value, search);
		return { record: sent.value, recovered: false };
	}
	if (!isAmbiguous(sent.error)) throw sent.error;
	const lost = { error: sent.error, sentAt, lostAt: clock.monotonic() };
	onLost(lost);
	return { record: await findLost(client, lost, search), recovered: true };
}

/**
 * The record that a request whose response was lost has created: the only one that agrees with the
 * request and was created at its time.
 *
 * When the execution is cancelled meanwhile, it is looked for once more, at once.
 *
 * @throws NodeApiError the error of the request, with what was found, when it is not certain
 */
export async function findLost<T>(
	client: Client,
	lost: LostResponse,
	search: Search<T>,
): Promise<T> {
	for (const waitMs of WAITS_MS) {
		let looked = await toResult(
			clock.pause(waitMs, client.signal).then(async () => await look(client, lost, search)),
		);
		const isStopped = !looked.ok && client.signal?.aborted === true;
		if (isStopped) looked = await toResult(look(client.evenWhenCancelled(), lost, search));
		if (!looked.ok) {
			throw unresolved(lost, `The search for it failed: ${(looked.error as Error).message}.`);
		}
		const record = certain(looked.value, search);
		if (record !== undefined) {
			noteKnown(client, record, search);
			return record;
		}
		const found = [...looked.value.sure, ...looked.value.doubtful];
		if (found.length > 0) throw ambiguous(lost, found, search);
		if (isStopped) {
			throw unresolved(lost, 'The execution was stopped during the search for it.');
		}
	}
	const seconds = Math.round(WAITS_MS.reduce((sum, ms) => sum + ms) / 1000);
	throw unresolved(lost, `A search of ${seconds} seconds did not find it.`);
}

function certain<T>({ sure, doubtful }: Found<T>, { canAdopt }: Search<T>): T | undefined {
	return canAdopt && sure.length === 1 && doubtful.length === 0 ? sure[0] : undefined;
}

function ambiguous<T>(lost: LostResponse, found: T[], search: Search<T>): NodeApiError {
	const ids = nameCandidates(lost, found, search);
	if (found.length > 1) {
		return unresolved(lost, `A search found ${found.length} candidates: ${ids}.`);
	}
	const doubt = search.canAdopt ? ' It is not certain that this request created it.' : '';
	return unresolved(lost, `A search found this ${search.kind}: ${ids}.${doubt}`);
}

/** Adds records to the facts of the error; their IDs for its text. */
function nameCandidates<T>({ error }: LostResponse, records: T[], search: Search<T>): string {
	const candidates = records.map((each) => search.facts(each));
	addFacts(error, { candidates });
	return candidates.map(({ id }) => id).join(', ');
}

async function look<T>(
	client: Client,
	{ sentAt, lostAt }: LostResponse,
	search: Search<T>,
): Promise<Found<T>> {
	// Dates are cut to whole seconds: by the service's clock it is at least this, and a second more at most.
	const serviceTimeAt = (at: number) =>
		client.knowsServiceTime ? client.serviceNow() - (clock.monotonic() - at) : undefined;
	const since = serviceTimeAt(sentAt);
	const listed = await search.list(client, since === undefined ? undefined : since - TIME_STEP_MS);
	// The list itself may have been the first response with the service's time.
	const [begin, end] = [serviceTimeAt(sentAt), serviceTimeAt(lostAt)];
	const createdAt = (record: T) => timeOf(search.createdAt(record));
	const isInTime = (record: T) => {
		const created = createdAt(record);
		if (begin === undefined || end === undefined || created === undefined) return false;
		return created >= begin && created <= end + MAX_DELAY_MS;
	};
	const recent = listed.filter(
		(record) =>
			(createdAt(record) ?? Infinity) >= (begin ?? -Infinity) - TIME_STEP_MS &&
			!known.has(keyOf(client, record, search)),
	);
	const found: Found<T> = { sure: [], doubtful: [] };
	for (const listItem of recent.slice(0, MAX_COMPARED)) {
		const compared = await search.compare(client, listItem);
		if (compared === undefined) continue;
		const { record, isWhole } = compared;
		if (isWhole && isInTime(record)) found.sure.push(record);
		else found.doubtful.push(record);
	}
	return found;
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
