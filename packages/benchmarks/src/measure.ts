import type { BenchmarkResult } from './benchmark-result.ts'

/** What a result's value is: by which instrument, of what, in which unit, and which way is better. */
export type Measure = Pick<BenchmarkResult, 'instrument' | 'metric' | 'unit' | 'betterWhen'>

/** Time per iteration by the clock. */
export const wallTime = {
  instrument: 'walltime',
  metric: 'time',
  unit: 'ns',
  betterWhen: 'lower',
} as const satisfies Measure

/** What a simulated processor would need; see `estimatedCycles()` for how. */
export const simulatedCycles = {
  instrument: 'simulation',
  metric: 'estimated_cycles',
  unit: 'cycles',
  betterWhen: 'lower',
} as const satisfies Measure

/** The most bytes that were allocated at the same time. */
export const peakMemory = {
  instrument: 'memory',
  metric: 'peak_memory',
  unit: 'B',
  betterWhen: 'lower',
} as const satisfies Measure
