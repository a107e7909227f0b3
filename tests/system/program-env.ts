/**
 * What programs of ours are started with, besides their own settings: nothing of the tests' but where code stands compiled, without
 * which each start takes a second of a processor more.
 */
export const programEnv = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
}
