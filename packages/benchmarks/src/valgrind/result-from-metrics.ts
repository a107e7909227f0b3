import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import { peakMemory, simulatedCycles } from '../measure.ts'
import type { Measure } from '../measure.ts'

const instructions: Measure = { ...simulatedCycles, metric: 'instructions', unit: 'instructions' }

/** What a result is about, the best first: cycles tell more than instructions. */
const MEASURES: readonly Measure[] = [simulatedCycles, instructions, peakMemory]

/**
 * A result of which the best of the metrics is the value and the others stay metrics. Undefined when there is none of
 * cycles, instructions, peak memory and what `otherwise` says among them.
 */
export function resultFromMetrics(
  named: { uri: string; name: string },
  metrics: readonly BenchmarkMetric[],
  otherwise?: Measure,
): BenchmarkResult | undefined {
  const measure = MEASURES.find(({ metric }) => metrics.some(({ name }) => name === metric)) ?? otherwise
  const best = metrics.find(({ name }) => name === measure?.metric)
  if (!measure || !best) return undefined
  return {
    ...named,
    ...measure,
    value: best.value,
    statistic: 'single',
    stats: {},
    metrics: metrics.filter((metric) => metric !== best),
  }
}
