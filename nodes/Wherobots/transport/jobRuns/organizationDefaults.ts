import type { IDataObject } from 'n8n-workflow';

import type { RunRequest } from '../../service/jobRuns/runRequests';
import type { Client } from '../client';
import { Failure, hasStatus, settle } from '../failure';
import { text } from '../text';

/** What may be left out of a request, and the organization's field with its default. */
const DEFAULTS = { region: 'defaultRegion', runtime: 'defaultRuntime' } as const;

/**
 * The request with the organization's default for what was left out, where a refusal names it: the
 * service's own clients leave region and runtime out, but the interface requires both. A request that
 * was refused for its values created nothing.
 *
 * @returns undefined when the refusal is about something else
 * @throws Failure the refusal, when the organization has no default that this account can read
 * @throws CancelledError when the execution is cancelled
 */
export async function withDefaults(
	client: Client,
	{ region, payload }: RunRequest,
	refusal: unknown,
): Promise<RunRequest | undefined> {
	if (!hasStatus(refusal, 422, 400)) return undefined;
	const { message, description } = refusal;
	const { places = [] } = refusal.parts;
	const said = [message, description, ...places].join('\n');
	const sent: IDataObject = { region, runtime: payload.runtime };
	const missing = (['region', 'runtime'] as const).filter(
		(name) => sent[name] === undefined && new RegExp(name, 'i').test(said),
	);
	if (missing.length === 0) return undefined;

	const read = await settle(client.call<IDataObject | undefined>('getOrganization'));
	if (!read.ok && !(read.error instanceof Failure)) throw read.error;
	const known = Object.fromEntries(
		missing.map((name) => [name, read.ok ? text(read.value?.[DEFAULTS[name]]) : '']),
	);
	const unknown = missing.filter((name) => !known[name]);
	if (unknown.length > 0) {
		const why = read.ok
			? `The organization has no default ${unknown.join(' and ')} that this account can read.`
			: `The organization's defaults could not be read: ${(read.error as Error).message}.`;
		throw refusal.with({ places: [...places, ...unknown] }).withContext({ after: why });
	}
	const { region: ownRegion = region, ...rest } = known;
	return { region: ownRegion, payload: { ...payload, ...rest } };
}
