import { searchApiKeys } from './apiKeys';
import { searchCatalogs, searchNamespaces, searchTables, searchViews } from './catalogs';
import { searchCloudConnections } from './cloudConnections';
import { searchRegions, searchRuntimes } from './compute';
import { credentialTest } from './credentialTest';
import { explained } from './explained';
import { searchFiles, searchFolders, searchStorages } from './files';
import { searchJobRuns } from './jobRuns';
import { searchPresets } from './presets';
import { searchSqlSessions } from './sqlSessions';

/** What the editor asks the node for while a person fills in the form. */
export const methods = {
	credentialTest,
	listSearch: {
		searchApiKeys: explained(searchApiKeys),
		searchCatalogs: explained(searchCatalogs),
		searchCloudConnections: explained(searchCloudConnections),
		searchFiles: explained(searchFiles),
		searchFolders: explained(searchFolders),
		searchJobRuns: explained(searchJobRuns),
		searchNamespaces: explained(searchNamespaces),
		searchPresets: explained(searchPresets),
		searchRegions: explained(searchRegions),
		searchRuntimes: explained(searchRuntimes),
		searchSqlSessions: explained(searchSqlSessions),
		searchStorages: explained(searchStorages),
		searchTables: explained(searchTables),
		searchViews: explained(searchViews),
	},
};
