/** Loaded before each suite of the engine: whatever its tests make the nodes send is a right request. */
import { observeExchanges, type Exchange } from '../sandbox';
import { requestProblems } from './requestProblems';

let exchanges: Exchange[] = [];
const stop = observeExchanges((exchange) => exchanges.push(exchange));

afterEach(() => {
	const problems = new Set(
		exchanges.flatMap((exchange) => {
			const { method, path } = exchange.request;
			return requestProblems(exchange).map((problem) => `${method} ${path}: ${problem}`);
		}),
	);
	exchanges = [];
	if (problems.size > 0) {
		throw new Error(`The service would refuse this:\n${[...problems].slice(0, 20).join('\n')}`);
	}
});

afterAll(stop);
