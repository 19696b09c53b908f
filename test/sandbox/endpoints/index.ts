/** The table of all endpoints. */
import { addressOf, type EndpointId, type Route, type RouteDraft } from '../server/route';
import * as sqlRoutes from '../sql/endpoints';
import * as accountRoutes from './account';
import * as apiKeyRoutes from './apiKeys';
import * as auditLogRoutes from './auditLog';
import * as catalogRoutes from './catalogs';
import * as cloudConnectionRoutes from './cloudConnections';
import { stackRoutes } from './cloudStacks';
import * as fileRoutes from './files';
import * as presetRoutes from './presets';
import * as runRoutes from './runs';
import * as taskRunRoutes from './taskRuns';
import * as taskRoutes from './tasks';
import * as usageRoutes from './usage';

const drafts: Record<EndpointId, RouteDraft> = {
	...runRoutes,
	...usageRoutes,
	...auditLogRoutes,
	...apiKeyRoutes,
	...catalogRoutes,
	...cloudConnectionRoutes,
	...stackRoutes,
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
