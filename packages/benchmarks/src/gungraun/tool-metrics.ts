import type { BenchmarkMetric, BenchmarkResult } from '../benchmark-result.ts'
import type { Measure } from '../measure.ts'
import { quote } from '../quote.ts'
import { resultFromMetrics } from '../valgrind/result-from-metrics.ts'
import { valgrindMetric } from '../valgrind/valgrind-metric.ts'
import type { WarningList } from '../warning-list.ts'

/** What one of Valgrind's tools counted in a benchmark: its name, then each number by the name that gungraun gives it. */
export interface ToolMetrics {
  /** In small letters: `callgrind`, `cachegrind`, `dhat`, `memcheck`. */
  tool: string
  numbers: Map<string, number>
}

export interface GungraunBenchmark {
  /** `file::group::function` and, where there is one, `::id`. */
  uri: string
  name: string
  /** Where it stands in the file. */
  place: number | string
  tools: ToolMetrics[]
}

/** Tools whose numbers have names of their own; those of others could be mistaken for them. */
const PLAIN_TOOLS = new Set(['callgrind', 'dhat'])
/** The others count errors, or only write files. */
const COST_TOOLS = new Set(['callgrind', 'cachegrind', 'dhat'])

/**
 * One result: cycles (or instructions, or peak memory) are its value, and everything else are metrics; where somebody
 * chose to show none of these, the first number is the value. Numbers of
 * cachegrind beside those of callgrind, and of the tools that look for errors, begin with the name of their tool.
 */
export function gungraunResult(
  { uri, name, place, tools }: GungraunBenchmark,
  warnings: WarningList,
): BenchmarkResult[] {
  const hasCallgrind = tools.some(({ tool, numbers }) => tool === 'callgrind' && numbers.size > 0)
  const metrics = tools.flatMap(({ tool, numbers }) => {
    const isPlain = PLAIN_TOOLS.has(tool) || (tool === 'cachegrind' && !hasCallgrind)
    return [...numbers].map(([label, value]) =>
      prefixed(isPlain ? '' : `${tool}_`, valgrindMetric(label, value)),
    )
  })
  const result = resultFromMetrics({ uri, name }, metrics, firstMeasure(tools))
  if (!result) warnings.add(place, `${quote(name)} has no number that tells its cost, ignored.`)
  return result ? [result] : []
}

function firstMeasure(tools: ToolMetrics[]): Measure | undefined {
  const first = tools.find(({ tool, numbers }) => numbers.size > 0 && COST_TOOLS.has(tool))
  const [label] = first?.numbers.keys() ?? []
  if (!first || label === undefined) return undefined
  const { name, unit, betterWhen = 'lower' } = valgrindMetric(label, 0)
  return { instrument: first.tool === 'dhat' ? 'memory' : 'simulation', metric: name, unit, betterWhen }
}

function prefixed(prefix: string, metric: BenchmarkMetric): BenchmarkMetric {
  return { ...metric, name: `${prefix}${metric.name}` }
}
