/** The table of all endpoints. */
import type { Route } from '../server/route';
import { runRoutes } from './runs';

export const routes: Route[] = [...runRoutes];
