/** What nobody may see. */
import type { Exchange } from '../../sandbox';
import { credentials } from '../../sandbox/server/auth';

const SECRET_FIELD = /^(key|accessKey|secretKey|sessionToken|uploadUrl|downloadUrl)$/;

/** What responses held that only an output may show. */
export function issuedSecrets(exchanges: Exchange[]): string[] {
	const found: string[] = [];
	const visit = (value: unknown) => {
		if (typeof value !== 'object' || value === null) return;
		for (const [key, inner] of Object.entries(value)) {
			if (SECRET_FIELD.test(key) && typeof inner === 'string' && inner.length > 12) {
				found.push(inner);
			} else visit(inner);
		}
	};
	for (const { response } of exchanges) visit(response?.json);
	return found;
}

/** Everything that authenticates somebody. */
export const KEYS = Object.values(credentials).flatMap(({ apiKey, bearerToken }) => [
	apiKey,
	bearerToken,
]);
