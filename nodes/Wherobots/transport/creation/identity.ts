/** Whose credential it is, as the service names the creators of records (interface, "triggeredBy"). */
import { isRecord } from '../../service/types';
import type { Client } from '../client';
import { toResult } from '../toResult';

interface Person {
	id?: string;
	email?: string;
}

/** More credentials than this are not remembered: the oldest are forgotten. */
const MAX_KNOWN = 500;

/** Who owns a credential, by address and secret. */
const owners = new Map<string, Person>();

/** Remembers who created a record that the response to a request of this client showed. */
export function noteOwner(client: Client, creator: unknown): void {
	const owner = readPerson(creator);
	if (!owner) return;
	owners.delete(client.account);
	owners.set(client.account, owner);
	if (owners.size > MAX_KNOWN) owners.delete([...owners.keys()][0]);
}

/**
 * Who owns the credential of this client: the creator of what it has created in this process, or
 * else the caller's profile, which is outside the documented interface. Undefined when unknown.
 */
export async function ownerOf(client: Client): Promise<unknown> {
	const known = owners.get(client.account);
	if (known) return known;
	const profile = await toResult(client.call('getCaller'));
	return profile.ok ? profile.value : undefined;
}

/** Whether both are the same person; undefined when one of them is unknown. */
export function isSamePerson(one: unknown, other: unknown): boolean | undefined {
	const [a, b] = [readPerson(one), readPerson(other)];
	if (!a || !b) return undefined;
	const isSame = (x?: string, y?: string) => x !== undefined && x === y;
	return isSame(a.id, b.id) || isSame(a.email, b.email);
}

/** Forgets everything, as a restart of n8n does. */
export function forgetIdentities(): void {
	owners.clear();
}

function readPerson(value: unknown): Person | undefined {
	if (!isRecord(value)) return undefined;
	const text = (entry: unknown) => (typeof entry === 'string' && entry !== '' ? entry : undefined);
	const person = { id: text(value.id), email: text(value.email)?.toLowerCase() };
	return person.id !== undefined || person.email !== undefined ? person : undefined;
}
