/** The table of all endpoints. */
import type { Route } from '../server/route';
import { auditLogRoutes } from './auditLog';
import { runRoutes } from './runs';

export const routes: Route[] = [...runRoutes, ...auditLogRoutes];
