/**
 * A stand-in for the whole service over real HTTP, for tests, benchmarks and the demo.
 * See README.md beside this file.
 */
import { RealClock, type SandboxClock } from './clock';
import { routes } from './endpoints';
import { Faults } from './faults/faults';
import { Ids } from './ids';
import { RunPlans } from './model/runPlans';
import { createStore } from './model/store';
import { createIn } from './seed/createIn';
import { seedDemo } from './seed/demo';
import { commitTo, seedSpatialCatalogs, spatialTables } from './seed/spatial';
import { buildApp } from './server/app';
import { credentials } from './server/auth';
import type { Environment } from './server/environment';
import { originOf, type Tls } from './server/origin';
import { PresignedStorage } from './server/presigned';
import { SlidingWindow } from './server/rateLimit';
import { RequestLog } from './server/requestLog';
import { SpatialDatabase } from './sql/database';
import { SqlService } from './sql';
import { findFiles } from './sql/stored';
import { defaultTimings, type Timings } from './timings';
import { defaultVariants, type RateLimit, type Variants } from './variants';

export { ManualClock, RealClock, type SandboxClock } from './clock';
export { endpoints, routes } from './endpoints';
export { isRequestOf, type EndpointId } from './server/route';
export type { Fault, FaultHandle } from './faults/faults';
export type { AuditEvent, EventDraft } from './model/auditEvents';
export { observeExchanges, type Exchange } from './server/exchanges';
export type { StorageFault } from './server/presigned';
export type { SqlAnswer, SqlFaultRule, SqlService } from './sql';
export type { Variants } from './variants';

export interface SandboxOptions {
	/** Loopback port; 0 (default) takes a free one. */
	port?: number;
	/** Default: the machine's clock. */
	clock?: SandboxClock;
	/** Data to begin with (default: none). */
	seed?: 'empty' | 'demo';
	/** Whether a spatial database executes statements; for `demo`. */
	database?: boolean;
	/** The published limit of 100 requests in 5 s; off by default. Later: `variants.rateLimit`. */
	rateLimit?: false | RateLimit;
	variants?: Partial<Variants>;
	timings?: Partial<Timings>;
	/** Every origin, also of files and sockets, speaks TLS with this certificate. */
	tls?: Tls;
}

/** Its parts; README.md says what each is for. Variants and timings may be changed at any time. */
export type Sandbox = Awaited<ReturnType<typeof startSandbox>>;

export async function startSandbox(options: SandboxOptions = {}) {
	const clock: SandboxClock = options.clock ?? new RealClock();
	const variants: Variants = {
		...structuredClone(defaultVariants),
		rateLimit: options.rateLimit ?? false,
		...options.variants,
	};
	const timings: Timings = { ...defaultTimings, ...options.timings };
	const ids = new Ids();
	const plans = new RunPlans(timings);
	const store = createStore({ clock, timings, variants, ids }, plans);
	const requests = new RequestLog();
	const faults = new Faults();

	const { tls } = options;
	const env = { clock, store, variants, timings, tls } as Environment;
	const presigned = new PresignedStorage(env);
	env.presigned = presigned;
	const sql = new SqlService(env, ids);
	env.sql = sql;
	if (options.seed === 'demo') seedDemo(env);
	const database = options.database
		? new SpatialDatabase(spatialTables(clock.now()), (address) =>
				findFiles(store.storages, address),
			)
		: undefined;
	if (database) {
		seedSpatialCatalogs(env);
		sql.answer(/(?:)/, (statement) => database.answer(statement));
		database.onWritten = (path, change) => commitTo(env, path, change);
		database.onCreated = (table) => createIn(env, table);
		sql.sessions.onCreated = () => void database.start();
	}
	const pipeline = { env, faults, requests, limiter: new SlidingWindow(), ids };
	const app = buildApp(pipeline, routes);
	await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
	return {
		/** `http://127.0.0.1:port`, or `https://…`, without a trailing slash. */
		baseUrl: originOf(tls, app.server),
		clock,
		credentials,
		store,
		requests,
		faults,
		variants,
		timings,
		plans,
		presigned,
		sql,
		/** Starts the spatial database before a session needs it: it takes a while. */
		async startDatabase() {
			await database?.start();
		},
		/** Closes at once, including open connections. */
		async stop() {
			await sql.stop();
			await database?.stop();
			await presigned.stop();
			app.server.closeAllConnections();
			await app.close();
		},
	};
}
