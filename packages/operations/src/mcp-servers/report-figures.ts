import type { McpFigures, McpOperationFigures } from '@flamegate/contract'
import { diagnoseReport, type McpOperation, type McpReport } from '@flamegate/mcp-profiling'
import { meanOf, mergeHistograms, percentileOf, type Histogram } from '@flamegate/series'

/** Failures that are told of each operation, most frequent first. */
const failuresMax = 5

/** The key numbers of a report. */
export function figuresOf(report: McpReport): McpFigures {
  const { load, connection, inside, durationMs } = report
  const { performanceScore, findings } = diagnoseReport(report)
  const times = latencyOf(report.operations)
  const used = usedUnderLoad(report)
  return {
    duration_ms: durationMs,
    calls: load?.ended ?? null,
    requests_per_second: load?.requestsPerSecond ?? null,
    peak_requests_per_second: load?.peakRequestsPerSecond ?? null,
    error_rate: load?.errorRate ?? null,
    mean_ms: milliseconds(meanOf(times)),
    p50_ms: milliseconds(percentileOf(times, 50)),
    p95_ms: milliseconds(percentileOf(times, 95)),
    p99_ms: milliseconds(percentileOf(times, 99)),
    cpu_percent: used?.cpuPercent.mean ?? null,
    rss_bytes_max: used?.rssBytes.max ?? null,
    gc_share: inside?.gc?.share ?? null,
    tools_list_tokens: connection.toolsListTokens,
    score: performanceScore,
    findings: findings.length,
  }
}

/** The numbers of each operation of a report. */
export function operationFiguresOf({ operations }: McpReport): McpOperationFigures[] {
  return operations.map((operation) => {
    const times = latencyOf([operation])
    return {
      method: operation.method,
      name: operation.name,
      calls: operation.calls,
      failed: operation.failures.reduce((sum, { count }) => sum + count, 0),
      mean_ms: milliseconds(meanOf(times)),
      p50_ms: milliseconds(percentileOf(times, 50)),
      p95_ms: milliseconds(percentileOf(times, 95)),
      p99_ms: milliseconds(percentileOf(times, 99)),
      server_p50_ms: milliseconds(percentileOf(histogramOf(operation.serverTime), 50)),
      request_bytes: operation.requestBytes.mean,
      result_bytes: operation.resultBytes.mean,
      result_tokens: operation.resultTokens?.mean ?? null,
      failures: operation.failures.toSorted((a, b) => b.count - a.count).slice(0, failuresMax),
    }
  })
}

/** Latency of all these operations together. */
export function latencyOf(operations: readonly McpOperation[]): Histogram {
  return mergeHistograms(operations.map(({ latency }) => histogramOf(latency)))
}

interface Span {
  mean: number
  max: number
}

/** What the processes of the server used during the load; undefined where nobody saw them. */
export function usedUnderLoad({
  resources,
}: McpReport):
  | { cpuPercent: Span; rssBytes: Span; readBytes: number | null; writeBytes: number | null }
  | undefined {
  const samples = resources.filter(({ atMs }) => atMs >= 0)
  const [first, last] = [samples[0], samples.at(-1)]
  if (first === undefined || last === undefined) return undefined
  return {
    cpuPercent: spanOf(samples.map(({ cpuPercent }) => cpuPercent)),
    rssBytes: spanOf(samples.map(({ rssBytes }) => rssBytes)),
    readBytes: more(first.readBytes, last.readBytes),
    writeBytes: more(first.writeBytes, last.writeBytes),
  }
}

/** Processes that end take what they counted with them. */
function more(from: number | null, to: number | null): number | null {
  return from === null || to === null ? null : Math.max(0, to - from)
}

function spanOf(values: readonly number[]): Span {
  return {
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    max: values.reduce((max, value) => Math.max(max, value), 0),
  }
}

function histogramOf({ slots, counts }: McpOperation['latency']): Histogram {
  return { slots: Uint16Array.from(slots), counts: Float64Array.from(counts) }
}

/** Of whole microseconds. */
function milliseconds(microseconds: number | null): number | null {
  return microseconds === null ? null : microseconds / 1000
}
