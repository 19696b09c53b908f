import { searchApiKeys } from './apiKeys';
import { searchCatalogs, searchNamespaces, searchTables, searchViews } from './catalogs';
import { searchCloudConnections } from './cloudConnections';
import { searchRegions, searchRuntimes } from './compute';
import { searchJobRuns } from './jobRuns';

/** What the editor asks the node for while a person fills in the form. */
export const methods = {
	listSearch: {
		searchApiKeys,
		searchCatalogs,
		searchCloudConnections,
		searchJobRuns,
		searchNamespaces,
		searchRegions,
		searchRuntimes,
		searchTables,
		searchViews,
	},
};
