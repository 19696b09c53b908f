/**
 * The storage behind the service: a second origin, like S3. Its addresses need no credential, and it
 * refuses whatever S3 would refuse.
 */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { Rules, type Rule, type RuleHandle } from '../faults/rules';
import { bytesOf, takeIn, type StorageRecord } from '../model/storages';
import type { Environment } from './environment';
import { firstBytes, write } from './deliver';
import { drop, LazyOrigin } from './origin';

export interface StorageRequest {
	method: string;
	/** Without the query. */
	path: string;
	headers: Record<string, string | string[] | undefined>;
	status?: number;
}

/** What goes wrong at the storage. */
export type StorageFault =
	/** An error like those of S3: XML with a code, and with keys and hosts that should stay private. */
	| { kind: 'refuse'; status: number; code: string; early?: boolean }
	/** Another response, with a status and a body. */
	| { kind: 'reply'; status: number; body?: string | Buffer; headers?: Record<string, string> }
	/** The connection ends after this many bytes of the response, or of the request if that is an upload. */
	| { kind: 'cut'; bytes: number }
	/** The body ends early, with a matching length header or none. */
	| { kind: 'short'; bytes: number; framing: 'length' | 'close' }
	/** Nothing more comes after this many bytes. */
	| { kind: 'stall'; bytes: number }
	/** The file arrives, but the response is lost. */
	| { kind: 'lost' };

export interface StorageFaultRule extends Rule {
	method?: 'GET' | 'PUT';
	fault: StorageFault;
}

interface Grant {
	method: string;
	storage: StorageRecord;
	path: string;
	expiresAt: number;
}

/** Headers that S3 takes for another kind of authorization, and those that only Wherobots may see. */
const FOREIGN_HEADERS = ['authorization', 'x-api-key', 'x-wherobots-client'];

export class PresignedStorage {
	/** What arrived, as the tests see it. */
	readonly requests: StorageRequest[] = [];

	/** Every secret that an address has contained. */
	readonly secrets: string[] = [];

	private readonly faults = new Rules<StorageFaultRule>();

	private readonly grants = new Map<string, Grant>();

	private readonly origin: LazyOrigin;

	constructor(private readonly env: Environment) {
		this.origin = new LazyOrigin(env.tls, (request, response) => {
			this.handle(request, response).catch(() => response.destroy());
		});
	}

	addFault(rule: StorageFaultRule): RuleHandle {
		return this.faults.add(rule);
	}

	/** An address that is valid for one method and path, and for `presignedSeconds` of the sandbox's clock. */
	async sign(method: 'GET' | 'PUT', storage: StorageRecord, path: string): Promise<string> {
		const signature = randomBytes(32).toString('hex');
		const token = randomBytes(24).toString('hex');
		this.secrets.push(signature, token);
		const seconds = this.env.variants.presignedSeconds;
		const expiresAt = this.env.clock.now() + seconds * 1000;
		this.grants.set(signature, { method, storage, path, expiresAt });
		const origin = await this.origin.address();
		const bucket = storage.draft.path.replace(/^s3:\/\//, '');
		const key = `${bucket}/${path}`.split('/').map(encodeURIComponent).join('/');
		const query = new URLSearchParams({
			'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
			'X-Amz-Credential': 'ASIASANDBOX/20261121/us-west-2/s3/aws4_request',
			'X-Amz-Expires': String(seconds),
			'X-Amz-Security-Token': token,
			'X-Amz-SignedHeaders': 'host',
			'X-Amz-Signature': signature,
		});
		return `${origin}/${key}?${query.toString()}`;
	}

	async stop(): Promise<void> {
		await this.origin.stop();
	}

	private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const url = new URL(request.url ?? '/', 'http://storage');
		const method = request.method ?? '';
		const entry: StorageRequest = { method, path: url.pathname, headers: request.headers };
		this.requests.push(entry);
		response.on(
			'close',
			() => (entry.status ??= response.headersSent ? response.statusCode : undefined),
		);
		const fault = this.faults.first((rule) => (rule.method ?? method) === method)?.fault;
		if (fault?.kind === 'refuse') {
			if (!fault.early) request.resume();
			return refuse(response, fault.status, fault.code);
		}
		if (fault?.kind === 'reply') {
			request.resume();
			response.writeHead(fault.status, fault.headers);
			return void response.end(fault.body ?? '');
		}
		const grant = this.grants.get(url.searchParams.get('X-Amz-Signature') ?? '');
		const problem = this.problem(request, grant);
		if (problem || !grant) {
			request.resume();
			return refuse(response, ...(problem ?? [403, 'SignatureDoesNotMatch']));
		}
		if (method === 'PUT') await this.put(request, response, grant, fault);
		else await this.get(response, grant, fault);
	}

	private problem(
		{ method, headers }: IncomingMessage,
		grant: Grant | undefined,
	): [status: number, code: string] | undefined {
		if (FOREIGN_HEADERS.some((name) => headers[name] !== undefined))
			return [400, 'InvalidArgument'];
		if (!grant || grant.method !== method) return [403, 'SignatureDoesNotMatch'];
		if (this.env.clock.now() >= grant.expiresAt) return [403, 'AccessDenied'];
		if (method !== 'PUT') return undefined;
		if (headers['transfer-encoding'] !== undefined) return [501, 'NotImplemented'];
		if (headers['content-length'] === undefined) return [411, 'MissingContentLength'];
		// Older signatures include the content type, and the vendor's clients send none.
		if (headers['content-type'] !== undefined) return [403, 'SignatureDoesNotMatch'];
		return undefined;
	}

	private async put(
		request: IncomingMessage,
		response: ServerResponse,
		{ storage, path }: Grant,
		fault: StorageFault | undefined,
	): Promise<void> {
		if (fault?.kind === 'cut' || fault?.kind === 'stall') {
			let seen = 0;
			// A request that is not read to its end has no socket any more.
			const { socket } = request;
			for await (const chunk of request) {
				seen += (chunk as Buffer).length;
				if (seen >= fault.bytes) break;
			}
			if (fault.kind === 'cut') drop(socket);
			return;
		}
		const taken = await takeIn(request as AsyncIterable<Buffer>);
		// A storage keeps a complete file or nothing.
		if (taken.size !== Number(request.headers['content-length'])) return;
		this.env.store.storages.store(storage, path, taken);
		if (fault?.kind === 'lost') return drop(request.socket);
		response.writeHead(200, { etag: `"${taken.sha256.slice(0, 32)}"` }).end();
	}

	private async get(
		response: ServerResponse,
		{ storage, path }: Grant,
		fault: StorageFault | undefined,
	): Promise<void> {
		const file = storage.files.get(path);
		if (!file) return refuse(response, 404, 'NoSuchKey');
		const end = fault && 'bytes' in fault ? fault.bytes : Infinity;
		const length = fault?.kind === 'short' ? Math.min(end, file.size) : file.size;
		const closes = fault?.kind === 'short' && fault.framing === 'close';
		const headers = {
			'content-type': file.contentType ?? 'binary/octet-stream',
			...(closes ? { connection: 'close' } : { 'content-length': String(length) }),
		};
		const ending = fault?.kind === 'cut' ? 'reset' : fault?.kind === 'stall' ? 'hang' : 'clean';
		await write(response, { status: 200, headers }, firstBytes(bytesOf(file), end), ending);
	}
}

function refuse(response: ServerResponse, status: number, code: string): void {
	response.writeHead(status, { 'content-type': 'application/xml', connection: 'close' });
	response.end(
		`<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code>` +
			'<Message>internal-key-name is not for you</Message>' +
			'<AWSAccessKeyId>ASIASANDBOX</AWSAccessKeyId><HostId>internal-host</HostId></Error>',
	);
}
