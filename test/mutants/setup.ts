/** Before the tests of each file, while mistakes are planted. */
import fc from 'fast-check';

// A mistake is noticed or not; the smallest example of it would take most of the time.
fc.configureGlobal({ endOnFailure: true });
