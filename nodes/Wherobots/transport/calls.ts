import type { IDataObject } from 'n8n-workflow';

import type { PathValues, RetryClass } from '../service/endpoints';
import type { SendResult } from './http';

/** A caller's options for a request. */
export interface CallOptions {
	/** Values of the path's `{name}` parts, not encoded. */
	path?: PathValues;
	/** Query parameters; undefined ones are left out, arrays become repeated parameters. */
	query?: IDataObject;
	/** Sent as JSON, an empty object too. */
	body?: IDataObject;
	/** What to look for when it is unclear whether a creating request was handled: `a job run named "x"`. */
	lookFor?: string;
	/**
	 * When the execution is cancelled, an attempt in progress is finished, because only its response has
	 * the ID of the new record; no further attempt starts.
	 */
	finishOnceSent?: boolean;
	/** Overrides the endpoint's retry class, where it depends on the content. */
	retry?: RetryClass;
	/** Called as each attempt is sent. */
	onSend?(): void;
}

/** A response with a body that the caller reads. */
export type StreamResponse = Extract<SendResult, { kind: 'stream' }>;

/** Where a file is: in the response itself, or at a presigned URL. */
export type FileLocation = StreamResponse | Extract<SendResult, { kind: 'redirect' }>;
