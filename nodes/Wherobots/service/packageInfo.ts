/**
 * Name and version of this package as they appear in the User-Agent of every request. A unit test
 * compares them with package.json, because shipped code may not read files.
 */
export const PACKAGE_NAME = 'n8n-nodes-wherobots';
export const PACKAGE_VERSION = '0.1.0';
export const USER_AGENT = `${PACKAGE_NAME}/${PACKAGE_VERSION}`;

/**
 * Tells the service which client a request comes from; its audit events show it. The form is that of
 * the service's own clients: `client=<name>;ver=<version>`, ASCII, at most 512 bytes.
 */
export const CLIENT_HEADER = { 'X-Wherobots-Client': `client=n8n;ver=${PACKAGE_VERSION}` };
