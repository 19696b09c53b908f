/** Before the tests of each file, while mistakes are planted. */
import fc from 'fast-check';

// A mistake is noticed or not; the smallest example of it would take most of the time.
// The same examples each time, so that what is noticed once is noticed again.
fc.configureGlobal({ endOnFailure: true, seed: 20_261_122 });
