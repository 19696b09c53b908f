/** What descriptions of SQL sessions and their protocol leave open, and how long things take. */

export interface SqlVariants {
	/** Where the response to a new session leads: a whole address, or a path. */
	sqlSessionLocation: 'absolute' | 'relative';
	/** The response for an unknown session. */
	sqlUnknownSession: 'null' | 'notFound';
	/** `appMeta` until the session is ready. */
	sqlMetaWhileStarting: 'emptyUrl' | 'null' | 'url';
	/** Lists show sessions that have ended. */
	sqlListsEnded: boolean;
	/** Handshakes are refused while the session is not ready, with this status. */
	sqlNotReadyStatus: number;

	/** What is sent as text: everything except results (`mixed`), everything, or nothing. */
	sqlFrames: 'mixed' | 'text' | 'binary';
	/** How bytes are written in a text frame. */
	sqlTextPayload: 'base64' | 'utf8';
	/** Which states are reported: each once, each twice, or only the last. */
	sqlStates: 'each' | 'twice' | 'last';
	/** When the event with the message of a failed statement comes: after the state, before it, or never. */
	sqlErrorEvent: 'after' | 'before' | 'never';
	/** What a result calls the message of a failure: as the published clients do, or in camel case. */
	sqlFailureName: 'exception_on_failure' | 'exceptionOnFailure';
	/** `result_uri` and `size` when they have no value. */
	sqlResultUri: 'absent' | 'null';
	/** Messages of unknown kinds and for unknown executions come in between, and while nothing happens. */
	sqlNoise: boolean;

	/** The maximum number of rows in a message; the others are left out silently. */
	sqlRowLimit: number;
	/** How rows are written as JSON. */
	sqlRowLayout: 'objects' | 'lines';
	/** What a result without rows has: an empty array, or null. */
	sqlNoRows: 'empty' | 'null';
	/**
	 * JSON is sent uncompressed, whatever the label says, as the Python driver reads it; or compressed as
	 * requested; or always compressed in this way.
	 */
	sqlCompression: 'plain' | 'asAsked' | 'gzip' | 'brotli';
	/** GeoJSON geometries in JSON rows: as text, or as objects. */
	sqlRowGeoJson: 'text' | 'object';

	/** A GeoJSON file: one feature a line, or one collection. */
	sqlGeoJsonFile: 'lines' | 'collection';
	/** A GeoJSON file of rows without a geometry column. */
	sqlGeoJsonWithoutGeometry: 'refused' | 'null';
	/** A CSV file of rows with a geometry column. */
	sqlCsvGeometry: 'refused' | 'wkt';
	/** `size` of a file. */
	sqlFileSize: 'present' | 'absent';
	/** What becomes of a statement whose connection is lost. */
	sqlLostConnection: 'goesOn' | 'stops';
}

export const defaultSqlVariants: SqlVariants = {
	sqlSessionLocation: 'absolute',
	sqlUnknownSession: 'null',
	sqlMetaWhileStarting: 'emptyUrl',
	sqlListsEnded: false,
	sqlNotReadyStatus: 503,
	sqlFrames: 'mixed',
	sqlTextPayload: 'base64',
	sqlStates: 'each',
	sqlErrorEvent: 'after',
	sqlFailureName: 'exception_on_failure',
	sqlResultUri: 'absent',
	sqlNoise: false,
	sqlRowLimit: 1_000,
	sqlRowLayout: 'objects',
	sqlNoRows: 'empty',
	sqlCompression: 'plain',
	sqlRowGeoJson: 'text',
	sqlGeoJsonFile: 'lines',
	sqlGeoJsonWithoutGeometry: 'refused',
	sqlCsvGeometry: 'refused',
	sqlFileSize: 'present',
	sqlLostConnection: 'goesOn',
};

/** Durations in milliseconds of the sandbox clock. */
export interface SqlTimings {
	/** From the request for a session to `READY`. */
	sqlStartMs: number;
	/** From the deletion of a session to `DESTROYED`. */
	sqlStopMs: number;
	/** How long a session without clients lasts unless told otherwise. */
	sqlInactiveMs: number;
	/** From the accepted cancel request to `cancelled`. */
	sqlCancelMs: number;
}

export const defaultSqlTimings: SqlTimings = {
	sqlStartMs: 60_000,
	sqlStopMs: 20_000,
	sqlInactiveMs: 900_000,
	sqlCancelMs: 0,
};
