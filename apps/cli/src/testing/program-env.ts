/**
 * What tests start programs of ours with, besides their settings: nothing of this process's own but where code stands compiled,
 * without which a small program takes twice as long.
 */
export const programEnv = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
}
