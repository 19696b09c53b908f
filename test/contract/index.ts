/**
 * The contract between the nodes and the service, in the words of this project: what requests
 * and responses look like. Written from the interface and from public descriptions of the service.
 */
import type { EndpointId } from '../interface/endpoints';
import { apiKeyContracts } from './apiKeys';
import { auditLogContracts } from './auditLog';
import { catalogContracts } from './catalogs';
import { cloudConnectionContracts } from './cloudConnections';
import { fileContracts } from './files';
import { accountContracts, presetContracts } from './presets';
import { runContracts } from './runs';
import { sqlContracts } from './sql';
import { taskContracts } from './tasks';
import { usageContracts } from './usage';
import type { EndpointContract } from './schema';

/** By endpoint id, as the sandbox logs it; none may be missing. */
export const contracts: Record<EndpointId, EndpointContract> = {
	...runContracts,
	...usageContracts,
	...auditLogContracts,
	...apiKeyContracts,
	...catalogContracts,
	...cloudConnectionContracts,
	...presetContracts,
	...fileContracts,
	...sqlContracts,
	...taskContracts,
	...accountContracts,
};
