import { isRecord } from './types';

/** How people know an organization's customer: by email, a service user by its name. */
export function personName(person: unknown): string | null {
	if (!isRecord(person)) return null;
	const { email, name, id } = person;
	const known = [email, name, id].find((text) => typeof text === 'string' && text !== '');
	return (known as string | undefined) ?? null;
}
