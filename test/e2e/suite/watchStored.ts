/** Loaded before each file of the suite: nothing that it has n8n keep may hold a secret. */
import { secretsIn } from './secrets';
import { sharedPlace } from './sharedN8n';

afterAll(async () => {
	const place = sharedPlace();
	if (place) expect(await secretsIn(place)).toEqual([]);
}, 120_000);
