/** Parts of mistakes as the page shows them, and why they may stay. */
export type Reason = [why: string, ...changes: string[]];

export const NOT_A_NUMBER = 'what is missing becomes NaN, and no comparison with it is true';
export const NO_VALUE = 'a function that comes to its end gives undefined as well';
