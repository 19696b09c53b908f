import { endpoints } from '../../../nodes/Wherobots/service/endpoints';
import * as service from '../../interface/endpoints';

const known = Object.values({ ...service.interfaceEndpoints, ...service.furtherEndpoints }).flatMap(
	({ method, paths }) => paths.map((path) => `${method} ${path}`),
);

it.each(Object.entries(endpoints))('%s calls an endpoint of the service', (_, { method, path }) => {
	expect(known).toContain(`${method} ${path}`);
});

it('leaves no endpoint out but those that only other clients use', () => {
	const called = Object.values(endpoints).map(({ method, path }) => `${method} ${path}`);
	// Where a task is run is in the service's own description.
	called.push(...service.endpoints.runTask.paths.map((path) => `POST ${path}`));
	// Only other clients of the service ask for these.
	called.push('POST /storage/credentials');
	expect(known.filter((one) => !called.includes(one))).toEqual([]);
});
