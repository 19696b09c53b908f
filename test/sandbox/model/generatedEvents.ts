/**
 * Audit events in bulk, generated while they are read: an export of gigabytes takes neither memory nor
 * noticeable time, so that a benchmark measures the client.
 *
 * Events come in bursts of {@link BURST}, one in each microsecond of a millisecond. The bytes of a burst
 * are those of another in which its number (in the IDs) and its millisecond (in the times) are overwritten.
 */
import { createHash } from 'node:crypto';

import { eventTime } from '../time';
import type { Variants } from '../variants';
import { csvHead, csvRow } from './auditCsv';
import type { AuditRange } from './auditEvents';

const BURST = 1000;

/** What stands for the number of a burst and for its millisecond, each as long as that is. */
const [NUMBER, MILLISECOND] = ['#'.repeat(9), '2026-01-31T08:15:00.###'];

export interface GeneratedOptions {
	/** Roughly how many bytes of CSV. */
	bytes: number;
	/** In milliseconds or as ISO text; the events are between them. */
	start: number | string;
	end: number | string;
}

const ACTIONS = ['CREATE_JOB_RUN', 'GET_JOB_RUN_LOGS', 'DESTROY_NOTEBOOK', 'READ_FILE', 'LOGIN'];
const AGENTS = ['curl/8.5.0', 'Mozilla/5.0 (X11; Linux x86_64) "Gecko", like', 'python/3.12'];

/** Where they stand in a row. */
const [NUMBER_AT, MILLISECOND_AT] = ['bulk-'.length, `bulk-${NUMBER}000,`.length];

/** The bytes of any burst, where its rows begin in them, and where the last one ends. */
function burstOf(variants: Variants): { bytes: Buffer; starts: number[] } {
	const rows = Array.from({ length: BURST }, (_, index) => {
		const micros = String(index).padStart(3, '0');
		const event = {
			event_id: `bulk-${NUMBER}${micros}`,
			event_time: `${MILLISECOND}${micros}+00:00`,
			action_name: ACTIONS[index % ACTIONS.length],
			user_id: `user-${index % 17}`,
			user_name: `person${index % 17}@example.com`,
			user_agent: AGENTS[index % AGENTS.length],
			source_ip: `203.0.113.${index % 250}`,
			resource_name: index % 3 === 0 ? null : `nightly "load", part ${index}`,
			resource_id: index % 3 === 0 ? null : `resource-${index}`,
			compute_region: index % 4 === 0 ? null : 'aws-us-west-2',
		};
		return Buffer.from(csvRow(event, variants));
	});
	const starts = [0];
	for (const [index, { length }] of rows.entries()) starts.push(starts[index] + length);
	return { bytes: Buffer.concat(rows), starts };
}

export class GeneratedEvents {
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
		const perBurst = burstOf(variants).bytes.length;
		this.length = Math.max(1, Math.round((options.bytes / perBurst) * BURST));
		const bursts = Math.ceil(this.length / BURST);
		this.stepMs = Math.floor(spanMs / Math.max(1, bursts));
		if (this.stepMs < 1) throw new Error('The range is too short for so many events');
	}

	/** The rows of a range, made while they are read. */
	between({ startTime = 0, endTime = Infinity }: AuditRange) {
		const from = this.firstAtOrAfter(startTime);
		const to = Math.max(from, this.firstAtOrAfter(endTime + 1));
		return { bytes: this.csvLength(from, to), pieces: this.csv(from, to) };
	}

	/** CSV rows of a part, in large pieces. */
	private *csv(from: number, to: number): Generator<Buffer> {
		const { bytes, starts } = burstOf(this.variants);
		for (let index = from; index < to; ) {
			const burst = Math.floor(index / BURST);
			const start = burst * BURST;
			const micros = (this.startMs + burst * this.stepMs) * 1000;
			const number = String(burst).padStart(NUMBER.length, '0');
			const millisecond = eventTime(micros).slice(0, MILLISECOND.length);
			const copy = Buffer.from(bytes);
			for (const at of starts.slice(0, BURST)) {
				copy.write(number, at + NUMBER_AT, 'latin1');
				copy.write(millisecond, at + MILLISECOND_AT, 'latin1');
			}
			yield copy.subarray(starts[index - start], starts[Math.min(BURST, to - start)]);
			index = start + BURST;
		}
	}

	/** Length in bytes of the rows of a part. */
	csvLength(from: number, to: number): number {
		const { starts } = burstOf(this.variants);
		const until = (index: number) =>
			Math.floor(index / BURST) * starts[BURST] + starts[index % BURST];
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

	private firstAtOrAfter(micros: number): number {
		if (micros === Infinity) return this.length;
		if (micros <= this.startMs * 1000) return 0;
		const since = micros - this.startMs * 1000;
		const burst = Math.floor(since / (this.stepMs * 1000));
		const within = Math.min(BURST, since - burst * this.stepMs * 1000);
		return Math.min(this.length, burst * BURST + within);
	}
}
