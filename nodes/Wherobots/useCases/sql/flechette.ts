/** What is used of flechette; each file that imported it would be published with its own copy. */
export { tableFromIPC, TimeUnit, Type } from '@uwdata/flechette';
