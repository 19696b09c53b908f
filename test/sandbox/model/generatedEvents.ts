/**
 * Audit events in bulk, generated while they are read: an export of gigabytes takes neither memory nor
 * noticeable time, so that a benchmark measures the client.
 *
 * Events come in bursts of {@link BURST}, one in each microsecond of a millisecond. Bursts differ only in
 * the number of the burst (in the ID) and its millisecond (in the time), so overwriting these places
 * turns the bytes of one burst into those of another.
 */
import { createHash } from 'node:crypto';

import { eventTime } from '../time';
import type { Variants } from '../variants';
import type { AuditSelection } from './auditQuery';
import type { AuditEvent, AuditSource, StoredEvent } from './auditEvents';
import { csvHead, csvRow } from './auditCsv';

const BURST = 1000;
/** `bulk-` and nine digits for the burst; three more for the event in it. */
const ID_DIGITS = 9;
/** The length of `2026-01-31T08:15:00.123`, which is the same throughout a burst. */
const TIME_PREFIX = 23;

export interface GeneratedOptions {
	/** How many events, or roughly how many bytes of CSV. */
	count?: number;
	bytes?: number;
	/** In milliseconds or as ISO text; the events are between them. */
	start: number | string;
	end: number | string;
}

const ACTIONS = ['CREATE_JOB_RUN', 'GET_JOB_RUN_LOGS', 'DESTROY_NOTEBOOK', 'READ_FILE', 'LOGIN'];
const AGENTS = ['curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64) "Gecko", like', 'python/3.12'];

function template(burst: number, index: number, micros: number): AuditEvent {
	const region = index % 4 === 0 ? null : 'aws-us-west-2';
	return {
		event_id: `bulk-${String(burst).padStart(ID_DIGITS, '0')}${String(index).padStart(3, '0')}`,
		event_time: eventTime(micros),
		action_name: ACTIONS[index % ACTIONS.length],
		user_id: `user-${index % 17}`,
		user_name: `person${index % 17}@example.com`,
		user_agent: AGENTS[index % AGENTS.length],
		source_ip: `203.0.113.${index % 250}`,
		resource_name: index % 3 === 0 ? null : `nightly "load", part ${index}`,
		resource_id: index % 3 === 0 ? null : `resource-${index}`,
		compute_region: region,
		client_chain: null,
		source_client: null,
	};
}

/** The bytes of one burst, and the places in them that differ between bursts. */
class BurstBytes {
	readonly bytes: Buffer;

	/** Start of each row, and the end of the last. */
	readonly rowStarts: number[] = [];

	private readonly idAt: number[] = [];

	constructor(variants: Variants) {
		const rows = Array.from({ length: BURST }, (_, index) =>
			Buffer.from(csvRow(template(0, index, index), variants)),
		);
		let at = 0;
		for (const row of rows) {
			this.rowStarts.push(at);
			this.idAt.push(at + row.indexOf('bulk-') + 'bulk-'.length);
			at += row.length;
		}
		this.rowStarts.push(at);
		this.bytes = Buffer.concat(rows);
	}

	/** A copy for one burst. */
	of(burst: number, prefix: string): Buffer {
		const copy = Buffer.from(this.bytes);
		const id = Buffer.from(String(burst).padStart(ID_DIGITS, '0'));
		const time = Buffer.from(prefix);
		// The id column has three more digits and a comma; then the time begins.
		for (const at of this.idAt) {
			for (let byte = 0; byte < ID_DIGITS; byte += 1) copy[at + byte] = id[byte];
			const timeAt = at + ID_DIGITS + 4;
			for (let byte = 0; byte < TIME_PREFIX; byte += 1) copy[timeAt + byte] = time[byte];
		}
		return copy;
	}
}

export class GeneratedEvents implements AuditSource {
	readonly length: number;

	private readonly startMs: number;

	/** Milliseconds from one burst to the next. */
	private readonly stepMs: number;

	constructor(
		options: GeneratedOptions,
		private readonly variants: Variants,
	) {
		this.startMs = new Date(options.start).getTime();
		const spanMs = new Date(options.end).getTime() - this.startMs;
		this.length = options.count ?? this.countFor(options.bytes ?? 0);
		const bursts = Math.ceil(this.length / BURST);
		this.stepMs = Math.floor(spanMs / Math.max(1, bursts));
		if (this.stepMs < 1) throw new Error('The range is too short for so many events');
	}

	at(index: number): StoredEvent {
		const burst = Math.floor(index / BURST);
		const micros = (this.startMs + burst * this.stepMs) * 1000 + (index % BURST);
		const event = template(burst, index % BURST, micros);
		return { event, micros, sequence: index, visibleAt: -Infinity };
	}

	firstAtOrAfter(micros: number): number {
		if (micros === Infinity) return this.length;
		if (micros <= this.startMs * 1000) return 0;
		const since = micros - this.startMs * 1000;
		const burst = Math.floor(since / (this.stepMs * 1000));
		const within = Math.min(BURST, since - burst * this.stepMs * 1000);
		return Math.min(this.length, burst * BURST + within);
	}

	allVisible(): boolean {
		return true;
	}

	/** CSV rows of a part, in large pieces. */
	*csv(from: number, to: number): Generator<Buffer> {
		const burstBytes = new BurstBytes(this.variants);
		for (let index = from; index < to; ) {
			const burst = Math.floor(index / BURST);
			const first = index - burst * BURST;
			const last = Math.min(BURST, to - burst * BURST);
			const prefix = eventTime((this.startMs + burst * this.stepMs) * 1000).slice(0, TIME_PREFIX);
			const { rowStarts } = burstBytes;
			yield burstBytes.of(burst, prefix).subarray(rowStarts[first], rowStarts[last]);
			index = burst * BURST + last;
		}
	}

	/** Length in bytes of the rows of a part. */
	csvLength(from: number, to: number): number {
		const { rowStarts } = new BurstBytes(this.variants);
		const until = (index: number) =>
			Math.floor(index / BURST) * rowStarts[BURST] + rowStarts[index % BURST];
		return until(to) - until(from);
	}

	/** What a whole export has: its bytes and SHA-256 with the header row, and its number of rows without it. */
	expected(): { bytes: number; rows: number; sha256: string } {
		const hash = createHash('sha256');
		const head = Buffer.from(csvHead(this.variants));
		hash.update(head);
		for (const piece of this.csv(0, this.length)) hash.update(piece);
		const bytes = head.length + this.csvLength(0, this.length);
		return { bytes, rows: this.length, sha256: hash.digest('hex') };
	}

	private countFor(bytes: number): number {
		const perBurst = new BurstBytes(this.variants).bytes.length;
		return Math.max(1, Math.round((bytes / perBurst) * BURST));
	}
}

export function isGenerated(
	selection: AuditSelection,
): selection is AuditSelection & { source: GeneratedEvents } {
	return selection.source instanceof GeneratedEvents && selection.matches === undefined;
}
