/**
 * Loaded before each suite when `N8N_EXPRESSION_ENGINE` is set, as for n8n itself: expressions are
 * then evaluated by that engine, such as `quickjs`, and not by the one that n8n 3 no longer has.
 */
import { Expression } from 'n8n-workflow';

const engine = process.env.N8N_EXPRESSION_ENGINE as 'quickjs' | 'vm';

const LIMITS = {
	bridgeTimeout: 5_000,
	bridgeMemoryLimit: 128,
	maxCodeCacheSize: 1024,
	poolSize: 1,
};

beforeAll(async () => {
	await Expression.initExpressionEngine({ engine, ...LIMITS });
	expect(Expression.getActiveImplementation()).toBe(engine);
});

afterAll(async () => {
	await Expression.disposeExpressionEngine();
	Expression.setExpressionEngine('legacy');
});
