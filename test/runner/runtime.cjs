/**
 * Loads packages once for all test files of a worker, where jest would load them for each file anew:
 * with the engine of n8n that takes seconds and hundreds of megabytes, and with the packages that jest
 * itself uses in a test file a tenth of a second.
 */
const { createRequire, isBuiltin } = require('node:module');

const { default: Runtime } = require('jest-runtime');

const IN_PACKAGE = /[\\/]node_modules[\\/]/;

module.exports = class extends Runtime {
	requireModuleOrMock(from, name) {
		const isPackage = !/^[./]|^@jest\//.test(name) && !isBuiltin(name);
		if (!isPackage || IN_PACKAGE.test(from)) return super.requireModuleOrMock(from, name);
		try {
			return createRequire(from)(name);
		} catch (error) {
			// Jest compiles what are ES modules only, also those that import without extensions.
			if (!/^ERR_(REQUIRE_ESM|MODULE_NOT_FOUND)$/.test(error.code)) throw error;
			return super.requireModuleOrMock(from, name);
		}
	}

	/** @param name what jest's own adapter for a test file requires; the adapter itself when undefined */
	requireInternalModule(from, name) {
		return name === undefined || isBuiltin(name)
			? super.requireInternalModule(from, name)
			: createRequire(from)(name);
	}
};
