/** The table of all endpoints. */
import { addressOf, type EndpointId, type Route, type RouteDraft } from '../server/route';
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

const drafts: Record<EndpointId, RouteDraft> = {
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
};

export const routes = Object.entries(drafts).map(
	([endpoint, draft]): Route => ({ success: 200, ...draft, endpoint: endpoint as EndpointId }),
);

/** The method and the paths of each endpoint. */
export const endpoints = Object.fromEntries(
	routes.map((route) => [route.endpoint, addressOf(route)]),
) as Record<EndpointId, ReturnType<typeof addressOf>>;
