import { MISSING } from './install';

/** Skipped where Spark cannot be installed. */
export const describeWithSpark = process.env[MISSING] ? describe.skip : describe;
