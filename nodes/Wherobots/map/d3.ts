/** What maps use of d3-array; each file that imported it would be published with its own copy. */
export { bisect, extent, groupSort, quantile, sum, tickStep } from 'd3-array';
