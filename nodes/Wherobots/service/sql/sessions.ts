/**
 * SQL sessions, as the public description of the service and its published clients show them: they are
 * not part of the documented interface (docs/sql.md).
 */
import type { IDataObject } from 'n8n-workflow';

import { isLoopbackHost } from '../baseUrl';
import { isRecord } from '../types';

export type SessionType = 'multi' | 'single';

/** A SQL session. Times are ISO 8601 strings. */
export interface SqlSession extends IDataObject {
	id: string;
	status: string;
	createTime?: string;
	regionName?: string;
	/** With the URL of its socket, once it is ready. */
	appMeta?: (IDataObject & { url?: string; resolved_version?: string | null }) | null;
	/** The request. */
	apiPayload?: IDataObject | null;
	message?: string | null;
}

/** The status of a session that accepts statements. */
export const READY = 'READY';

/** The URL of a ready session's socket; undefined until there is one. */
export function addressOf(session: SqlSession): string | undefined {
	const url = isRecord(session.appMeta) ? session.appMeta.url : undefined;
	return session.status === READY && typeof url === 'string' && url !== '' ? url : undefined;
}

/** Whether a session has failed or is gone. An unknown status does not count. */
export function isOver(status: string): boolean {
	return /_FAILED$|^DESTROY/.test(status);
}

/** The service's explanation of what happened to a session; empty when there is none. */
export function reasonOf({ message, firstFailure, events }: SqlSession): string {
	const failed = (Array.isArray(events) ? events.filter(isRecord) : [])
		.filter(({ code }) => /FAIL/i.test(String(code ?? '')))
		.at(-1);
	// Newer versions of the service report the first failure.
	const texts = [message, isRecord(firstFailure) && firstFailure.message, failed?.message];
	return texts.map((text) => (typeof text === 'string' ? text.trim() : '')).find(Boolean) ?? '';
}

/** The ID of a session in a response: a redirect leads to it, on any host, or the body is the session. */
export function sessionIdIn(response: { text: string; location?: string }): string | undefined {
	const { text, location } = response;
	if (location !== undefined) {
		return /\/sql\/session\/([^/%]+)\/?$/.exec(new URL(location).pathname)?.[1];
	}
	try {
		const session: unknown = JSON.parse(text);
		return isRecord(session) && typeof session.id === 'string'
			? session.id || undefined
			: undefined;
	} catch {
		return undefined;
	}
}

/** The fields of a session that people need. */
export function simplifySession(session: SqlSession): IDataObject {
	const asked = isRecord(session.apiPayload) ? session.apiPayload : {};
	return {
		id: session.id,
		status: session.status,
		sessionType: asked.sessionType ?? null,
		runtime: asked.runtimeId ?? null,
		region: session.regionName ?? null,
		version: session.appMeta?.resolved_version ?? null,
		createTime: session.createTime ?? null,
		updateTime: session.updateTime ?? null,
		message: reasonOf(session) || null,
	};
}

/** Version of the socket's protocol, the end of its URL. */
const PROTOCOL = '1.0.0';

/** Only the service can give out host names below this one. */
const SERVICE_DOMAIN = 'wherobots.com';

/**
 * The URL of a session's socket, if the key may be sent there: encrypted, and on the host of the base
 * URL, on a subdomain of it, or both on hosts of the service; on this machine when the base URL is. A
 * shared parent domain does not prove a common owner.
 *
 * @param address as the session gives it, with http(s) or ws(s)
 * @throws RangeError when it may not; the message is the end of a sentence about the URL
 */
export function socketUrl(baseUrl: string, address: string): string {
	if (!URL.canParse(address)) throw new RangeError('is not a URL');
	const url = new URL(address.replace(/^http/i, 'ws'));
	const [host, base] = [url, new URL(baseUrl)].map(({ hostname }) => hostname.replace(/\.$/, ''));
	const isLocal = isLoopbackHost(host) && isLoopbackHost(base);
	const isOwn =
		isWithin(host, base) || [host, base].every((each) => isWithin(each, SERVICE_DOMAIN));
	if (!/^wss?:$/.test(url.protocol)) throw new RangeError(`begins with ${url.protocol}`);
	if (!isLocal && !isOwn) throw new RangeError(`is on ${host}, and the base URL on ${base}`);
	if (!isLocal && url.protocol !== 'wss:') throw new RangeError('is not encrypted');
	if (url.username || url.password) throw new RangeError('contains a user name');
	url.hash = '';
	url.pathname = `${url.pathname.replace(/\/+$/, '')}/${PROTOCOL}`;
	return url.href;
}

/** Whether a host is this domain or a subdomain of it. */
function isWithin(host: string, domain: string): boolean {
	return host === domain || host.endsWith(`.${domain}`);
}
