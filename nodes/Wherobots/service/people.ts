import { isRecord } from './types';

/** The display name of an organization's customer: its email, or the name of a service user. */
export function personName(person: unknown): string | null {
	if (!isRecord(person)) return null;
	const { email, name, id } = person;
	const known = [email, name, id].find((text) => typeof text === 'string' && text !== '');
	return (known as string | undefined) ?? null;
}
