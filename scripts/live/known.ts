/** What is known of the account, and what was made in it. */
import type { INodeParameters } from 'n8n-workflow';

import type { Account } from './account';
import { fill, text } from './case';

/** The account lacks what a case needs; the message says what. */
export class NotPossible extends Error {}

/** @throws when it is refused */
export type Remove = (account: Account, known: Known) => Promise<void>;

export class Known {
	private readonly values = new Map<string, string>();

	private readonly made: Array<{ what: string; remove: Remove }> = [];

	/** Keeps values by their names, unless there is none. */
	learn(values: Record<string, unknown>): void {
		for (const [name, value] of Object.entries(values)) {
			if ((value ?? '') !== '') this.values.set(name, String(value));
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
	makes(what: string, remove: Remove): void {
		this.made.push({ what, remove });
	}

	/** Removes everything, the last first. @returns what is left, and why */
	async removeAll(account: Account): Promise<string[]> {
		const left: string[] = [];
		for (const { what, remove } of this.made.reverse()) {
			await remove(account, this).catch((error: Error) => {
				// What it would be removed by was never known, so it was not made.
				if (!(error instanceof NotPossible)) left.push(`${what}: ${error.message}`);
			});
		}
		return left;
	}
}

/** Removes with an operation, also when everything else is stopped; what is gone already was removed. */
export const removeWith =
	(operation: string, parameters: INodeParameters): Remove =>
	async (account, known) => {
		const filled = fill(parameters, known);
		const { error } = await account.execute(operation, filled, { removes: true });
		if (error && !['404', '409'].includes(String(error.httpCode))) throw new Error(error.message);
	};

/** Removes what a list has of this name: where a response was lost, nobody knows its ID. */
export const removeNamed =
	(operation: string, field: string, parameters: INodeParameters = { returnAll: true }): Remove =>
	async (account, known) => {
		const [resource] = operation.split(' ');
		const filled = fill(parameters, known);
		const list = await account.execute(`${resource} getAll`, filled, { removes: true });
		if (list.error) throw new Error(list.error.message);
		for (const { id, name, revoked } of list.json) {
			if (!text(name).startsWith(known.get('own name')) || revoked === true) continue;
			await removeWith(operation, { [field]: `@id ${text(id)}` })(account, known);
		}
	};
