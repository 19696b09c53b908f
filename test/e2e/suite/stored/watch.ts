/** Loaded before each file of the suite: nothing that it has n8n keep may hold a secret. */
import { sharedPlace } from '../sharedN8n';
import { secretsIn } from './secrets';

afterAll(async () => {
	const place = sharedPlace();
	if (place) expect(await secretsIn(place)).toEqual([]);
}, 120_000);
