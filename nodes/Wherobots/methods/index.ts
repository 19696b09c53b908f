import { searchApiKeys } from './apiKeys';
import { searchRegions, searchRuntimes } from './compute';
import { searchJobRuns } from './jobRuns';

/** What the editor asks the node for while a person fills in the form. */
export const methods = {
	listSearch: { searchApiKeys, searchJobRuns, searchRegions, searchRuntimes },
};
