import type { IDataObject } from 'n8n-workflow';

import type { PathValues, RetryClass } from '../service/endpoints';
import type { SendResult } from './http';

/** What a caller may say of a request. */
export interface CallOptions {
	/** Values of the path's `{name}` parts, not encoded. */
	path?: PathValues;
	/** Query parameters; undefined ones are left out, arrays become repeated parameters. */
	query?: IDataObject;
	/** Sent as JSON, an empty object too. */
	body?: IDataObject;
	/** What to look for when it is uncertain whether a creating request was carried out: `a job run named "x"`. */
	lookFor?: string;
	/**
	 * When the execution is cancelled, an attempt in progress is finished, because only its response
	 * tells the id of what was created; no further attempt starts.
	 */
	finishOnceSent?: boolean;
	/** Where what is sent decides whether it may be sent again, instead of the endpoint. */
	retry?: RetryClass;
	/** Called as each attempt is sent. */
	onSend?(): void;
}

/** A response with a body that the caller reads. */
export type StreamResponse = Extract<SendResult, { kind: 'stream' }>;

/** Where a file is: in the response itself, or at an address that authorizes by itself. */
export type FileLocation = StreamResponse | Extract<SendResult, { kind: 'redirect' }>;
