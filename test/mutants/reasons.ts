/** Why mistakes that no test notices may stay: they change nothing that anybody could see. */

import { EXPORT_REASONS } from './exportReasons';
import { JOB_RUN_REASONS } from './jobRunReasons';
import { MAP_REASONS } from './mapReasons';
import { NO_VALUE, type Reason } from './reason';
import { SQL_REASONS } from './sqlReasons';
import { TRANSPORT_REASONS } from './transportReasons';
import { TRIGGER_REASONS } from './triggerReasons';

const WORDS = 'words of a form, which no test should repeat';

/** By source below nodes/Wherobots, or from the root of the repository. */
export const REASONS: Record<string, Reason[]> = {
	'credentials/WherobotsApi.credentials.ts': [[NO_VALUE, '{ return undefined; } → {}']],
	'actions/auditLog/exportFiles.ts': [
		[
			'a cancelled execution sends nothing more, and nobody sees its output',
			'instanceof CancelledError → false',
		],
		['a shortcut: no file is among none', 'stored.length === 0 → false'],
		['adds the empty name, which no file has', 'from < parts.length → from <='],
	],
	'actions/auditLog/exportRange.ts': [
		['of two equal times, either is the end', 'range.end < oldest → range.end <= oldest'],
	],
	'actions/file/uploadInput.ts': [
		[
			'only for the compiler: to have no name is a problem already',
			'fileName === undefined → false',
		],
	],
	'actions/execution/creations.ts': [
		[
			'adds nothing to an error when nothing was created',
			'created.length + open.length === 0 → false',
		],
	],
	'actions/execution/requestFields.ts': [
		['no field of a form has an empty name', 'length > 0 → length >= 0'],
		['no field of a form has such a name', '[] → ["Stryker was here"]'],
		['advice that is missing adds nothing', 'advice → true'],
	],
	'actions/execution/router.ts': [
		[
			'is replaced before it is read, or never read because the node fails; n8n runs no node without items',
			'[] → ["Stryker was here"]',
		],
	],
	'actions/table.ts': [
		[
			'only for the compiler: where there is a kind, there is a catalog',
			'catalog?.name → catalog.name',
		],
	],
	'methods/lists.ts': [['a text among the entries has no ID', '[] → ["Stryker was here"]']],
	'methods/credentialTest.ts': [
		['the request that it becomes is a GET by itself', '\'GET\' → ""'],
		['whatever is no stream is read as text', '\'text\' → ""'],
		['only for the compiler: no other outcome has a body', "sent.kind === 'json' → true"],
	],
	'parameters/fields.ts': [[WORDS, "'Add filter'"]],
	'parameters/input.ts': [
		[
			'only for the compiler: what is no number is no safe integer either',
			"typeof value !== 'number' → false",
		],
	],
	'parameters/values.ts': [[NO_VALUE, '{ return undefined; } → {}']],
	'service/baseUrl.ts': [[NO_VALUE, '{ return undefined; } → {}']],
	'service/catalogs.ts': [
		['a text among the databases has no tables', '[] → ["Stryker was here"]'],
	],
	'service/files.ts': [
		[
			'only for the compiler: a text that is split has at least one part',
			'\'\' → "Stryker was here!"',
		],
	],
	'service/jobRuns/costs.ts': [
		['a point after the first digit stays where it is', 'point < 1 → point <= 1'],
	],
	'service/jobRuns/logTime.ts': [
		['only for the compiler: ten digits are always a time', 'seconds?.replace → seconds.replace'],
	],
	'service/jobRuns/runs.ts': [
		[
			'what is no object has neither a code nor a message',
			"typeof event === 'object' → true",
			'[] → ["Stryker was here"]',
		],
	],
	'transport/credential.ts': [
		['only a token is read in another way than plain text', '\'apiKey\' → ""'],
	],
	'service/templates.ts': [[NO_VALUE, '{ return undefined; } → {}']],
	'service/time/calendar.ts': [
		[
			'when the next day begins, the clock shows its date, so this is never asked at that very time',
			'this.startOfDay(next) < time',
		],
	],
	'service/time/time.ts': [
		[
			'what stands before a date makes it no date, with or without the T',
			'/^(\\d{4}-\\d{2}-\\d{2}) (?=\\d{2}:)/',
		],
		['stands in the place of a whole match, which nobody reads', '\'\' → "Stryker was here!"'],
	],
	...TRANSPORT_REASONS,
	...JOB_RUN_REASONS,
	...SQL_REASONS,
	...EXPORT_REASONS,
	...TRIGGER_REASONS,
	...MAP_REASONS,
};
