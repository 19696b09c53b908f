/**
 * Loaded before each suite of the engine: whatever its tests make the nodes send, and whatever the
 * sandbox returns, is held against the contract after each test.
 */
import { observeExchanges, type Exchange } from '../sandbox';
import { exchangeProblems } from './check';

let exchanges: Exchange[] = [];
const stop = observeExchanges((exchange) => exchanges.push(exchange));

afterEach(() => {
	const problems = new Set(exchanges.flatMap(exchangeProblems));
	exchanges = [];
	if (problems.size > 0) {
		throw new Error(`The contract is broken:\n${[...problems].slice(0, 20).join('\n')}`);
	}
});

afterAll(stop);
