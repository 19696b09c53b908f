/** The table of all endpoints. */
import { addressOf, type EndpointId, type Route } from '../server/route';
import { sqlRoutes } from '../sql/endpoints';
import { accountRoutes } from './account';
import { apiKeyRoutes } from './apiKeys';
import { auditLogRoutes } from './auditLog';
import { catalogRoutes } from './catalogs';
import { cloudConnectionRoutes } from './cloudConnections';
import { fileRoutes } from './files';
import { presetRoutes } from './presets';
import { runRoutes } from './runs';
import { taskRunRoutes } from './taskRuns';
import { taskRoutes } from './tasks';
import { usageRoutes } from './usage';

export const routes: Route[] = [
	...runRoutes,
	...usageRoutes,
	...auditLogRoutes,
	...apiKeyRoutes,
	...catalogRoutes,
	...cloudConnectionRoutes,
	...presetRoutes,
	...fileRoutes,
	...sqlRoutes,
	...taskRoutes,
	...taskRunRoutes,
	...accountRoutes,
];

/** The method and the paths of each endpoint. */
export const endpoints = Object.fromEntries(
	routes.map((route) => [route.endpoint, addressOf(route)]),
) as Record<EndpointId, ReturnType<typeof addressOf>>;
