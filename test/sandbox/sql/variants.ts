/** What descriptions of SQL sessions and their protocol leave open. */
export const defaultSqlVariants = {
	/** Where the response to a new session leads: a whole address, or a path. */
	sqlSessionLocation: 'absolute' as 'absolute' | 'relative',
	/** The response for an unknown session. */
	sqlUnknownSession: 'null' as 'null' | 'notFound',
	/** `appMeta` until the session is ready. */
	sqlMetaWhileStarting: 'null' as 'null' | 'absent' | 'url',
	/**
	 * How many sessions a person may have: instead of another one, a request gets one of those, and the
	 * response says so in a header.
	 */
	sqlSessionQuota: Infinity,

	/** What is sent as text: everything except results (`mixed`), or nothing. */
	sqlFrames: 'mixed' as 'mixed' | 'binary',
	/** Which states are reported: each once, each twice, or only the last. */
	sqlStates: 'each' as 'each' | 'twice' | 'last',
	/** When the event with the message of a failed statement comes: after the state, or before it. */
	sqlErrorEvent: 'after' as 'after' | 'before',
	/** `result_uri` and `size` when they have no value. */
	sqlResultUri: 'absent' as 'absent' | 'null',
	/** Messages of unknown kinds and for unknown executions come in between, and while nothing happens. */
	sqlNoise: false,

	/** The maximum number of rows in a message; the others are left out silently. */
	sqlRowLimit: 1_000,
	/** The results of a statement that has none: without columns, null, or an empty object. */
	sqlNoRows: 'empty' as 'empty' | 'null' | 'object',
	/** Arrow is compressed as requested, or not at all; JSON never is, whatever the label says. */
	sqlCompression: 'asAsked' as 'asAsked' | 'none',

	/** A GeoJSON file of rows without a geometry column. */
	sqlGeoJsonWithoutGeometry: 'refused' as 'refused' | 'null',
	/** `size` of a file. */
	sqlFileSize: 'present' as 'present' | 'absent',
	/** Another connection may take a statement over; older sessions ignore `attach`. */
	sqlAttach: 'supported' as 'supported' | 'ignored',
};

export type SqlVariants = typeof defaultSqlVariants;
