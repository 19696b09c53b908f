/**
 * What all records and responses of the service have in common, and what API keys and cloud connections
 * are. Fields may be missing and others may be added: records are passed on as they arrive (interface,
 * "Resources").
 */
import type { IDataObject } from 'n8n-workflow';

import type { EndpointId } from './endpoints';

/** One entry of an error body (interface, "Errors"). */
export interface ServiceErrorInfo {
	code?: string;
	message?: string;
	details?: string;
	path?: string;
	suggestion?: string;
	documentation_url?: string;
	field?: string;
}

/** A page of a list (interface, "Run list page"); how it names the next one is its kind of paging. */
export interface CursorPage extends IDataObject {
	items?: IDataObject[];
	total?: number;
}

/** One log line; the timestamp's unit is not documented and it may be a number or a string. */
export interface LogLine {
	timestamp: string | number;
	raw: string;
}

/** Whether a value is an object, not a list or null. */
export function isRecord(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A text as it is; empty for anything else. */
export function toPlainText(value: unknown): string {
	return typeof value === 'string' ? value : '';
}

/** A text, or the digits of a number, as the service may send an ID; empty for anything else. */
export function toExactText(value: unknown): string {
	return typeof value === 'number' ? String(value) : toPlainText(value);
}

/** These fields of a record; missing ones are null. */
export function pick(record: IDataObject, names: readonly string[]): IDataObject {
	return Object.fromEntries(names.map((name) => [name, record[name] ?? null]));
}

/**
 * Whether `whole` contains everything in `definePart`, at every depth; lists must have equal length. What is
 * undefined in `definePart` is not in it.
 */
export function hasPart(whole: unknown, part: unknown): boolean {
	if (part === undefined) return true;
	if (Array.isArray(part)) {
		return (
			Array.isArray(whole) &&
			whole.length === part.length &&
			part.every((entry, index) => hasPart(whole[index], entry))
		);
	}
	if (isRecord(part)) {
		return (
			isRecord(whole) && Object.entries(part).every(([name, value]) => hasPart(whole[name], value))
		);
	}
	return whole === part;
}

/** Whether a body is the service's error body (interface, "Error body"), even if its status is successful. */
export function isErrorBody(value: unknown): boolean {
	if (!isRecord(value) || typeof value.requestId !== 'string') return false;
	const { errors } = value;
	return Array.isArray(errors) && errors.length > 0 && errors.every(isRecord);
}

/** The errors of the service's envelope, or of the `{detail}`, `{message}` or `{error}` of a framework. */
export function parseErrors(body: IDataObject | undefined): ServiceErrorInfo[] {
	if (!body) return [];
	const { errors, detail, message, error } = body;
	if (Array.isArray(errors)) return parseErrorInfos(errors);
	if (Array.isArray(detail)) {
		return parseErrorInfos(detail).map(({ msg, message, loc }) => ({
			message: (msg ?? message) as string,
			field: Array.isArray(loc)
				? loc.filter((step) => typeof step !== 'object').join('.')
				: undefined,
		}));
	}
	const said = [detail, message, error].find((each) => typeof each === 'string' || isRecord(each));
	if (typeof said === 'string') return [{ message: said }];
	if (!isRecord(said)) return [];
	const words = [said.message, said.msg, said.detail, said.error].find(
		(each) => typeof each === 'string' && each.trim() !== '',
	);
	return [{ ...said, message: (words as string | undefined) ?? JSON.stringify(said) }];
}

/** The errors in a list; in one without records, the texts. */
function parseErrorInfos(list: unknown[]): IDataObject[] {
	const records = list.filter(isRecord);
	const texts = list.filter((each) => typeof each === 'string');
	return records.length > 0 ? records : texts.map((message) => ({ message }));
}

/** The display name of an organization's customer: its email, or the name of a service user. */
export function getPersonName(person: unknown): string | null {
	if (!isRecord(person)) return null;
	const { email, name, id } = person;
	const known = [email, name, id].find((text) => typeof text === 'string' && text !== '');
	return (known as string | undefined) ?? null;
}

/** Longest name of an API key (public description of the service). */
export const MAX_API_KEY_NAME = 50;

/**
 * The fields of an API key that people need; the secret, `key`, only where the service sends it: once,
 * in the response to its creation.
 */
export function simplifyApiKey(record: IDataObject): IDataObject {
	return {
		...pick(record, ['id', 'name']),
		...(record.key === undefined ? {} : { key: record.key }),
		preview: record.preview ?? record.partialApiKey ?? null,
		...pick(record, ['valid', 'revoked', 'expiresAt', 'createTime']),
		createdBy: getPersonName(record.createdBy),
		ownedBy: getPersonName(record.ownedBy),
	};
}

/** The stacks of a connection, in the order in which they are set up. */
export type Stack = 'connection' | 'storage' | 'glue' | 's3tables';

export const STACK_ENDPOINTS: Record<Stack, { link: EndpointId; template: EndpointId }> = {
	connection: { link: 'getConnectionCreateLink', template: 'getConnectionTemplate' },
	storage: { link: 'getStorageCreateLink', template: 'getStorageTemplate' },
	glue: { link: 'getGlueCreateLink', template: 'getGlueTemplate' },
	s3tables: { link: 'getS3TablesCreateLink', template: 'getS3TablesTemplate' },
};

/** Access levels of a binding's stack. Verification spells them differently. */
export type StackAccess = 'read-only' | 'read-write';

/** Access types of a storage binding in a verification. */
export type BindingAccess = 'READ' | 'READ_WRITE';

/** Longest name of a connection (public description of the service). */
export const MAX_CONNECTION_NAME = 100;

/** Maximum number of trusted accounts of a connection (public description of the service). */
export const MAX_TRUSTED_ACCOUNTS = 20;

const CONNECTION_FIELDS = [
	...['id', 'name', 'cloudProvider', 'awsAccountId', 'roleArn'],
	...['managedBy', 'stackName', 'allowSaas', 'createdAt'],
];

/** The fields of a connection that people need, with bindings as `kind: name`. */
export function simplifyConnection(connection: IDataObject): IDataObject {
	const bindings = Array.isArray(connection.bindings) ? (connection.bindings as IDataObject[]) : [];
	return {
		...pick(connection, CONNECTION_FIELDS),
		bindings: bindings.map((binding) => `${String(binding?.kind)}: ${String(binding?.name)}`),
	};
}

/** The response to a verification. A failed one has a successful status, too. */
export interface Verification extends IDataObject {
	roleAssumption?: { status?: string; reason?: string | null };
	bindingAccess?: (IDataObject & { status?: string; reason?: string | null }) | null;
}

/**
 * Why a verification did not pass, in the service's words if it has any; undefined when all requested
 * checks passed.
 */
export function findVerificationProblem(
	{ roleAssumption, bindingAccess }: Verification,
	binding: boolean,
): string | undefined {
	if (roleAssumption?.status !== 'OK') {
		return roleAssumption?.reason || 'The role cannot be assumed.';
	}
	if (bindingAccess && bindingAccess.status !== 'OK') {
		return bindingAccess.reason || `Access to the storage is ${String(bindingAccess.status)}.`;
	}
	return binding && !bindingAccess ? 'The storage was not checked.' : undefined;
}
