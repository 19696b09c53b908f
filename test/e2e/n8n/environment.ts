import { env } from 'node:process';

/** Handed on to n8n when set; everything else of this process's environment stays here. */
const PASSED_ON = ['PATH', 'LANG', 'LC_ALL', 'TMPDIR', 'NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'];

const OF_N8N_1 = {
	// Its sandbox for expressions would have to be compiled for this Node.js.
	N8N_EXPRESSION_ENGINE: 'legacy',
	// As n8n 2 does; its own default is memory.
	N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
};
/** A module that an n8n does not know keeps it from starting. */
const OF_N8N_2 = { N8N_DISABLED_MODULES: 'mcp-registry' };

/** The durable scheduler of n8n 2.41, which is off by default. */
export const DURABLE = {
	N8N_USE_WORKFLOW_PUBLICATION_SERVICE: 'true',
	N8N_SCHEDULER_ENABLED: 'true',
	N8N_SCHEDULER_POLL_TRIGGERS_ENABLED: 'true',
	N8N_POLLER_DURABLE_CURSORS_ENABLED: 'true',
};

export interface N8nPlace {
	/** Parent of `.n8n`, as n8n's own setting means it. */
	userFolder: string;
	port: number;
	brokerPort: number;
}

/**
 * The environment of an n8n that talks to nobody but this machine. It is closed: a test runner's
 * NODE_ENV or NODE_OPTIONS would make n8n another program than the one users run.
 *
 * @param version of n8n; empty when it is not known
 */
export function n8nEnvironment(
	version: string,
	place: N8nPlace,
	overrides: Record<string, string> = {},
) {
	const environment: NodeJS.ProcessEnv = {
		HOME: place.userFolder,
		NODE_ENV: 'production',
		N8N_USER_FOLDER: place.userFolder,
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_HOST: '127.0.0.1',
		N8N_PORT: String(place.port),
		N8N_RUNNERS_BROKER_PORT: String(place.brokerPort),
		GENERIC_TIMEZONE: 'UTC',
		// No https in front of it.
		N8N_SECURE_COOKIE: 'false',
		// Without internet each of these costs a time-out, and none has to do with nodes.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		...(version.startsWith('1.') && OF_N8N_1),
		...(version.startsWith('2.') && OF_N8N_2),
	};
	for (const name of PASSED_ON) if (env[name]) environment[name] = env[name];
	return { ...environment, ...overrides };
}
