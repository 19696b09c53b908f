/** Checks every guess, one after the other. */
import { guesses } from './guesses';
import { NotChecked, Otherwise, type Guess } from './guess';
import type { Live } from './context';

export type Outcome = 'asAssumed' | 'otherwise' | 'notChecked';

export interface Result {
	guess: Guess;
	outcome: Outcome;
	/** What was seen, or why nothing was. */
	seen: string;
	/** The requests that were made, and how each was answered. */
	requests: string[];
}

/**
 * @param onResult told of each result as it comes
 * @throws when it is stopped
 */
export async function examine(live: Live, onResult: (result: Result) => void): Promise<Result[]> {
	const results: Result[] = [];
	for (const guess of guesses) {
		live.api.trace = [];
		const { outcome, seen } = await outcomeOf(guess, live);
		live.api.options.signal.throwIfAborted();
		const result = { guess, outcome, seen, requests: live.api.trace };
		results.push(result);
		onResult(result);
	}
	return results;
}

async function outcomeOf(guess: Guess, live: Live): Promise<Pick<Result, 'outcome' | 'seen'>> {
	try {
		return { outcome: 'asAssumed', seen: await guess.check(live) };
	} catch (error) {
		const { message: seen } = error as Error;
		if (error instanceof Otherwise) return { outcome: 'otherwise', seen };
		if (error instanceof NotChecked) return { outcome: 'notChecked', seen };
		// A response of a form that the check did not expect must not end the others.
		return { outcome: 'notChecked', seen: `the check itself failed: ${String(error)}` };
	}
}
