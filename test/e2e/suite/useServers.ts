interface Server {
	stop(): Promise<void>;
}

/**
 * Stops what tests have started, the last first, also when they fail.
 *
 * @param atEnd when: after each test, unless `afterAll` is given
 * @returns keeps a server that is starting until then
 */
export function useServers(atEnd = afterEach) {
	const servers: Server[] = [];
	atEnd(async () => {
		for (const server of servers.splice(0).reverse()) await server.stop();
	});
	return async <Started extends Server>(starting: Promise<Started>): Promise<Started> => {
		const server = await starting;
		servers.push(server);
		return server;
	};
}
