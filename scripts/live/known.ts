/** What is known of the account, and what was made in it. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Account } from './account';
import { fill } from './case';

/** The account lacks what a case needs; the message says what. */
export class NotPossible extends Error {}

interface Made {
	what: string;
	remove(account: Account): Promise<void>;
}

export class Known {
	/** A part of the name of all that is made, so that nothing else is ever removed. */
	readonly name: string;

	/** The IDs of SQL sessions that were requested here. */
	readonly sessions = new Set<string>();

	private readonly values = new Map<string, string>();

	private readonly made: Made[] = [];

	constructor(stamp: number) {
		this.name = `n8n-live-check-${stamp.toString(36)}`;
	}

	/** Keeps a value, unless there is none. */
	learn(values: Record<string, unknown>): void {
		for (const [name, value] of Object.entries(values)) {
			if (value !== undefined && value !== null && value !== '') {
				this.values.set(name, String(value));
			}
		}
	}

	has(name: string): boolean {
		return this.values.has(name);
	}

	/** @throws NotPossible when it is not known */
	get(name: string): string {
		const value = this.values.get(name);
		if (value === undefined) throw new NotPossible(`no ${name} was found or made`);
		return value;
	}

	/** Says how to remove what is about to be made. */
	makes(what: string, remove: Made['remove']): void {
		this.made.push({ what, remove });
	}

	/** Removes everything, the last first. @returns what is left, and why */
	async removeAll(account: Account): Promise<string[]> {
		const left: string[] = [];
		for (let made = this.made.pop(); made; made = this.made.pop()) {
			try {
				await made.remove(account);
			} catch (error) {
				left.push(`${made.what}: ${(error as Error).message}`);
			}
		}
		return left;
	}
}

/** The records of a list, also when everything else is stopped. @throws when it is refused */
export async function listWith(
	...[account, operation, parameters]: [Account, string, INodeParameters]
): Promise<IDataObject[]> {
	const { json, error } = await account.execute(operation, parameters, undefined, true);
	if (error) throw new Error(error.message);
	return json;
}

/** Removes with an operation; what is gone already was removed. */
export const removeWith =
	(operation: string, parameters: INodeParameters) => async (account: Account, known: Known) => {
		const filled = fill(parameters, known);
		const { error } = await account.execute(operation, filled, undefined, true);
		if (error && !['404', '409'].includes(String(error.httpCode))) throw new Error(error.message);
	};
