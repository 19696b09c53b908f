/** What descriptions of SQL sessions and their protocol leave open, and how long things take. */

export interface SqlVariants {
	/** Where the response to a new session leads: a whole address, or a path. */
	sqlSessionLocation: 'absolute' | 'relative';
	/** The response for an unknown session. */
	sqlUnknownSession: 'null' | 'notFound';
	/** `appMeta` until the session is ready. */
	sqlMetaWhileStarting: 'null' | 'absent' | 'url';
	/**
	 * How many sessions a person may have: instead of another one, a request gets one of those, and the
	 * response says so in a header.
	 */
	sqlSessionQuota: number;

	/** What is sent as text: everything except results (`mixed`), or nothing. */
	sqlFrames: 'mixed' | 'binary';
	/** Which states are reported: each once, each twice, or only the last. */
	sqlStates: 'each' | 'twice' | 'last';
	/** When the event with the message of a failed statement comes: after the state, or before it. */
	sqlErrorEvent: 'after' | 'before';
	/** `result_uri` and `size` when they have no value. */
	sqlResultUri: 'absent' | 'null';
	/** Messages of unknown kinds and for unknown executions come in between, and while nothing happens. */
	sqlNoise: boolean;

	/** The maximum number of rows in a message; the others are left out silently. */
	sqlRowLimit: number;
	/** The format of results: the requested one, or always the same. */
	sqlResultFormat: 'asAsked' | 'arrow' | 'json';
	/** How rows are written as JSON. */
	sqlRowLayout: 'objects' | 'lines' | 'columns';
	/** The results of a statement that has none: without columns, null, or an empty object. */
	sqlNoRows: 'empty' | 'null' | 'object';
	/**
	 * Arrow is compressed as requested, and JSON too, or not at all, whatever the label says (`plain`), as
	 * the Python driver reads it; or everything is always compressed in this way.
	 */
	sqlCompression: 'plain' | 'asAsked' | 'none' | 'gzip' | 'brotli' | 'zstd';

	/** A GeoJSON file: one feature a line, or one collection. */
	sqlGeoJsonFile: 'lines' | 'collection';
	/** A GeoJSON file of rows without a geometry column. */
	sqlGeoJsonWithoutGeometry: 'refused' | 'null';
	/** `size` of a file. */
	sqlFileSize: 'present' | 'absent';
	/** Another connection may take a statement over; older sessions ignore `attach`. */
	sqlAttach: 'supported' | 'ignored';
}

export const defaultSqlVariants: SqlVariants = {
	sqlSessionLocation: 'absolute',
	sqlUnknownSession: 'null',
	sqlMetaWhileStarting: 'null',
	sqlSessionQuota: Infinity,
	sqlFrames: 'mixed',
	sqlStates: 'each',
	sqlErrorEvent: 'after',
	sqlResultUri: 'absent',
	sqlNoise: false,
	sqlRowLimit: 1_000,
	sqlResultFormat: 'asAsked',
	sqlRowLayout: 'objects',
	sqlNoRows: 'empty',
	sqlCompression: 'plain',
	sqlGeoJsonFile: 'lines',
	sqlGeoJsonWithoutGeometry: 'refused',
	sqlFileSize: 'present',
	sqlAttach: 'supported',
};

/** Durations in milliseconds of the sandbox clock. */
export interface SqlTimings {
	/** From the request for a session to `READY`. */
	sqlStartMs: number;
	/** From the deletion of a session to `DESTROYED`. */
	sqlStopMs: number;
	/** From the accepted cancel request to `cancelled`. */
	sqlCancelMs: number;
}

export const defaultSqlTimings: SqlTimings = {
	sqlStartMs: 60_000,
	sqlStopMs: 20_000,
	sqlCancelMs: 0,
};
