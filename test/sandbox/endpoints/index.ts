/** The table of all endpoints. */
import type { Route } from '../server/route';
import { accountRoutes } from './account';
import { apiKeyRoutes } from './apiKeys';
import { auditLogRoutes } from './auditLog';
import { catalogRoutes } from './catalogs';
import { cloudConnectionRoutes } from './cloudConnections';
import { fileRoutes } from './files';
import { presetRoutes } from './presets';
import { runRoutes } from './runs';

export const routes: Route[] = [
	...runRoutes,
	...auditLogRoutes,
	...apiKeyRoutes,
	...catalogRoutes,
	...cloudConnectionRoutes,
	...presetRoutes,
	...fileRoutes,
	...accountRoutes,
];
