export const STEPS = 60;

/** How many histories a property lives through: `npm run test:trigger -- --histories 100000` for more. */
export function histories(): number {
	return Number(process.env.TRIGGER_HISTORIES ?? 1000);
}
