export { Choice, type Kept, Rates } from './kept-counters.ts'
export { openCollector } from './open-collector.ts'
export type { Collector, Reading } from './reading.ts'
