/** What was made and has to go again, whatever happens. */

interface Thing {
	/** For people: what to look for if it could not be removed. */
	what: string;
	remove(): Promise<void>;
}

export class Made {
	private things: Thing[] = [];

	/** To be called before the request that makes it: its response may be lost. */
	add(what: string, remove: () => Promise<void>): void {
		this.things.push({ what, remove });
	}

	/**
	 * Removes everything, the newest first, even after a failure.
	 *
	 * @returns what may be left, with the reason
	 */
	async removeAll(): Promise<string[]> {
		const left: string[] = [];
		for (const { what, remove } of this.things.splice(0).reverse()) {
			try {
				await remove();
			} catch (error) {
				left.push(`${what}: ${(error as Error).message}`);
			}
		}
		return left;
	}
}
