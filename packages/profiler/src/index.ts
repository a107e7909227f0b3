export { startProfiler } from './start-profiler.ts'
export type * from './profiler.ts'
