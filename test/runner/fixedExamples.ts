/** Before each file of `npm test`: the same random examples each time, so that it fails only for what has changed. */
import fc from 'fast-check';

// A planted mistake is noticed or not: the smallest example of it would take most of the time.
const endOnFailure = 'STRYKER_MUTATOR_WORKER' in process.env;

fc.configureGlobal({ seed: 20_261_122, endOnFailure });
