/** API keys. Records: ApiKey, CreateApiKeyResponse. */
import { idOf } from '../ids';
import { recordTime } from '../time';
import { customerById, people, type Customer } from './people';
import { Records } from './records';

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

const YEAR_MS = 365 * 86_400_000;

export class ApiKeyStore extends Records<ApiKeyRecord> {
	create(draft: Partial<ApiKeyRecord> = {}): ApiKeyRecord {
		const id = draft.id ?? this.parts.ids.next('apiKey');
		const createTime = draft.createTime ?? this.parts.clock.now();
		const owner = draft.ownedBy === undefined ? people.admin : draft.ownedBy;
		return this.add({
			id,
			createTime,
			updateTime: createTime,
			name: `key ${this.all().length + 1}`,
			key: `sandbox_${idOf(`secret:${id}`, 40)}`,
			revoked: false,
			expiresAt: createTime + YEAR_MS,
			createdBy: owner,
			ownedBy: owner,
			...draft,
		});
	}

	/** Changes the expiry (milliseconds). */
	update(record: ApiKeyRecord, expiresAt: number): void {
		record.expiresAt = expiresAt;
		record.updateTime = this.parts.clock.now();
	}

	revoke(record: ApiKeyRecord): void {
		record.revoked = true;
		record.updateTime = this.parts.clock.now();
	}

	isValid(record: ApiKeyRecord): boolean {
		return !record.revoked && record.expiresAt > this.parts.clock.now();
	}

	/** The customer that a valid key belongs to. */
	customerOf(secret: string): Customer | undefined {
		const record = this.all().find(({ key }) => key === secret);
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
