/** API keys. Records: ApiKey, CreateApiKeyResponse. */
import type { SandboxClock } from '../clock';
import { idOf, type Ids } from '../ids';
import { recordTime } from '../time';
import { customerById, people, type Customer } from './people';

export interface ApiKeyRecord {
	id: string;
	createTime: number;
	updateTime: number;
	name: string;
	/** The secret; returned only by create. */
	key: string;
	revoked: boolean;
	/** In milliseconds. */
	expiresAt: number;
	createdBy: Customer | null;
	ownedBy: Customer | null;
}

export interface ApiKeyDraft {
	id?: string;
	name?: string;
	key?: string;
	createTime?: number;
	expiresAt?: number;
	revoked?: boolean;
	createdBy?: Customer | null;
	ownedBy?: Customer | null;
}

const YEAR_MS = 365 * 86_400_000;

export class ApiKeyStore {
	private readonly keys = new Map<string, ApiKeyRecord>();

	private readonly bySecret = new Map<string, ApiKeyRecord>();

	constructor(
		private readonly clock: SandboxClock,
		private readonly ids: Ids,
	) {}

	all(): ApiKeyRecord[] {
		return [...this.keys.values()];
	}

	get(id: string): ApiKeyRecord | undefined {
		return this.keys.get(id);
	}

	create(draft: ApiKeyDraft = {}): ApiKeyRecord {
		const now = this.clock.now();
		const id = draft.id ?? this.ids.next('apiKey');
		const createTime = draft.createTime ?? now;
		const owner = draft.ownedBy === undefined ? people.admin : draft.ownedBy;
		const record: ApiKeyRecord = {
			id,
			createTime,
			updateTime: createTime,
			name: draft.name ?? `key ${this.keys.size + 1}`,
			key: draft.key ?? `sandbox_${idOf(`secret:${id}`, 40)}`,
			revoked: draft.revoked ?? false,
			expiresAt: draft.expiresAt ?? createTime + YEAR_MS,
			createdBy: draft.createdBy === undefined ? owner : draft.createdBy,
			ownedBy: owner,
		};
		this.keys.set(id, record);
		this.bySecret.set(record.key, record);
		return record;
	}

	/** Changes the expiry (milliseconds). */
	update(record: ApiKeyRecord, expiresAt: number): void {
		record.expiresAt = expiresAt;
		record.updateTime = this.clock.now();
	}

	revoke(record: ApiKeyRecord): void {
		record.revoked = true;
		record.updateTime = this.clock.now();
	}

	isValid(record: ApiKeyRecord): boolean {
		return !record.revoked && record.expiresAt > this.clock.now();
	}

	/** The customer that a valid key belongs to. */
	customerOf(secret: string): Customer | undefined {
		const record = this.bySecret.get(secret);
		if (!record || !this.isValid(record)) return undefined;
		return record.ownedBy ? customerById(record.ownedBy.id) : undefined;
	}

	/** The record as the service shows it, without its secret. */
	view(record: ApiKeyRecord): Record<string, unknown> {
		const preview = `${record.key.slice(0, 6)}...${record.key.slice(-4)}`;
		return {
			id: record.id,
			createTime: recordTime(record.createTime),
			updateTime: recordTime(record.updateTime),
			partialApiKey: preview,
			preview,
			name: record.name,
			valid: this.isValid(record),
			revoked: record.revoked,
			expiresAt: recordTime(record.expiresAt),
			createdById: record.createdBy?.id ?? null,
			createdBy: record.createdBy,
			ownedBy: record.ownedBy,
		};
	}
}
