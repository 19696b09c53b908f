/** Before each file of `npm test`: the same random examples each time, so that it fails only for what has changed. */
import fc from 'fast-check';

fc.configureGlobal({ seed: 20_261_122 });
