/** Whether tests run in full, as `npm run test:deep` has them, and not in the short form of `npm test`. */
export const DEEP = process.env.N8N_NODES_WHEROBOTS_SUITE === 'deep';

/** How much a test does: `short` in `npm test`, `deep` in `npm run test:deep`. */
export function runs<T>(short: T, deep: T): T {
	return DEEP ? deep : short;
}
