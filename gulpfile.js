// What `n8n-node build` leaves to do: see scripts/build/.
require('tsx/cjs');

const { series } = require('gulp');
const { bundleLibraries, check, tidy } = require('./scripts/build/tasks.ts');

exports.build = series(bundleLibraries, tidy, check);
