import type { EnvironmentDifference } from '@flamegate/benchmarks'

/**
 * better, worse: a change that is told from noise, and may be as large as the threshold. same: it is smaller than that.
 * not_judged: it was not measured on both sides, or nobody can say how sure it is.
 */
export type MetricVerdict = 'better' | 'worse' | 'same' | 'cannot_tell' | 'not_judged'

export type ComparedMetric =
  | 'mean_ms'
  | 'p50_ms'
  | 'p95_ms'
  | 'p99_ms'
  | 'error_rate'
  | 'requests_per_second'
  | 'cpu_ms_per_call'
  | 'rss_bytes'
  | 'result_bytes'
  | 'result_tokens'
  | 'tools_list_tokens'

export interface MetricComparison {
  metric: ComparedMetric
  /** Null where that side did not measure it. */
  base: number | null
  head: number | null
  /** Of the base, by the method that made the interval, so it need not be the ratio of `base` and `head`. Null where there is no ratio. */
  changePercent: number | null
  /** Interval of the change; null where nothing can be told of it. */
  lowPercent: number | null
  highPercent: number | null
  /** Adjusted for all that is compared (Benjamini & Hochberg); null where nothing was tested. */
  pValue: number | null
  verdict: MetricVerdict
  /** Whether it has a say in the verdict of the whole; sizes of messages are told and do not. */
  isCounted: boolean
  /** How the interval came about, or why there is none. */
  method: string
}

export interface OperationComparison {
  method: string
  /** Of a tool, resource or prompt. */
  name: string | null
  metrics: MetricComparison[]
}

export interface ComparedSide {
  target: string
  label: string | null
  startedAt: string
  serverVersion: string | null
}

export interface McpComparison {
  type: 'mcp_profiler_comparison'
  version: 1
  base: ComparedSide
  head: ComparedSide
  thresholdPercent: number
  /** Between 0 and 1: of the intervals, and of all claims together. */
  confidence: number
  /** Blocks of both sides ran in turns, so that what moves slowly is in both. */
  isInterleaved: boolean
  /** Of time and throughput. */
  verdict: 'slower' | 'faster' | 'same' | 'cannot_tell'
  /** What is counted and got worse, in words, errors and memory too: a check fails when there are any. */
  regressions: string[]
  improvements: string[]
  /** In a sentence. */
  summary: string
  /** Those that matter put every number in doubt. */
  environmentDifferences: EnvironmentDifference[]
  /** Of the whole: throughput, processor, memory, size of the list of tools. */
  overall: MetricComparison[]
  operations: OperationComparison[]
  notes: string[]
}
