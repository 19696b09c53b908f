/**
 * Endpoints that the interface does not have: the caller's organization and the hints for a new notebook, from
 * which first-party clients read regions and runtimes, and the caller's own profile.
 */
import { ORGANIZATION_ID, people } from '../model/people';
import type { Environment } from '../server/environment';
import { notFound, ServiceError } from '../server/errors';
import { route } from '../server/route';
import { recordTime } from '../time';
import { RUNTIMES } from './runSchemas';

function checkAvailable(env: Environment, path: string): void {
	if (env.variants.accountEndpoints === 'missing') throw notFound('Path', path);
	if (env.variants.accountEndpoints === 'forbidden') {
		throw new ServiceError(403, { details: 'Account settings are not readable with this key.' });
	}
}

export const getOrganization = route({
	at: 'GET /organization',
	handle({ env, path, caller }) {
		checkAvailable(env, path);
		const founded = recordTime(Date.parse('2025-03-01T09:00:00Z'));
		return {
			json: {
				id: ORGANIZATION_ID,
				createTime: founded,
				updateTime: founded,
				name: caller.role === 'community' ? 'Community Maps' : 'Acme Geospatial',
				users: [people.admin, people.user],
				services: [people.service],
				allowedRegions: env.variants.regions,
				defaultRegion: env.variants.regions[0],
				defaultRuntime: 'tiny',
				fileStore: null,
				storageIntegrations: [],
				...{ roles: [], wherobotsCloudFeatures: [], samlSsoStatus: 'INACTIVE', state: 'ACTIVE' },
				...{ verified: true, domainIsVerified: true },
			},
		};
	},
});

export const getConfigHint = route({
	at: 'GET /me/jupyter/lab/config-hint',
	handle({ env, path }) {
		checkAvailable(env, path);
		// The upper-case names are old aliases, which the service no longer offers.
		const offered = RUNTIMES.filter((id) => /[a-z]/.test(id));
		const runtimes = offered.map((id, index) => {
			const family = /(himem|hicpu|gpu|matcher)$/.exec(id)?.[1];
			const size = id.replace(/-(himem|hicpu|a10-gpu|matcher)$/, '');
			return {
				id,
				name: id,
				description: `${id} runtime`,
				size: size
					.replace('-', '')
					.replace(/^(\d)x/, (_, times: string) => 'X'.repeat(Number(times)))
					.toUpperCase(),
				tags: family ? [family.toUpperCase()] : [],
				enabled: family !== 'matcher',
				minimumSpatialUnitsPerHour: index + 1,
				maximumSpatialUnitsPerHour: (index + 1) * 4,
				instanceDetails: { gpu: family === 'gpu' ? 1 : 0, gpu_type: null, gpu_vram: 0 },
			};
		});
		const regions = env.variants.regions.map((regionName) => ({
			regionName,
			enabled: regionName !== 'aws-ap-south-1',
			availability: regionName === 'aws-ap-south-1' ? 'DISABLED' : 'AVAILABLE',
		}));
		const versions = [
			{ version: '2.0.3', description: 'Stable', aliases: ['latest'] },
			{ version: '2.1.0-rc1', description: 'Preview', aliases: ['preview'] },
		];
		return {
			json: {
				diskSizeGB: { hint: 100, min: 50, max: 1000, description: 'Disk size' },
				idleTimeoutMinutes: { hint: 30, min: 10, max: 1440, description: 'Idle timeout' },
				runtimeTags: { hint: ['GPU', 'HIMEM', 'HICPU', 'MATCHER'] },
				runtimes: { hint: runtimes },
				regions: { description: 'Regions', hint: regions },
				versions: { description: 'Versions', hint: versions },
			},
		};
	},
});

/** The caller's own profile, with which clients check a key. */
export const getMe = route({
	at: 'GET /users/me',
	handle: ({ caller }) => ({
		json: { ...people[caller.role], organizationId: ORGANIZATION_ID, policies: [] },
	}),
});
