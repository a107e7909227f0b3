import { diagnoseReport, type McpOperation, type McpReport } from '@flamegate/mcp-profiling'
import { meanOf, percentilesOf } from '@flamegate/series'

/** What a report says, small enough for a model: percentiles in place of histograms. */
export function summaryOf(report: McpReport): Record<string, unknown> {
  const { target, load, resources, connection } = report
  const { performanceScore, findings } = diagnoseReport(report)
  const cpu = resources.map(({ cpuPercent }) => cpuPercent)
  return {
    command: report.command,
    target: target.name,
    label: target.label,
    started_at: report.startedAt,
    requests_per_second: load === null ? null : rounded(load.requestsPerSecond),
    error_rate: load?.errorRate ?? null,
    generator_limited: load?.generatorLimited ?? null,
    cpu_percent_mean:
      cpu.length === 0 ? null : rounded(cpu.reduce((sum, each) => sum + each, 0) / cpu.length),
    rss_bytes_max: resources.length === 0 ? null : Math.max(...resources.map(({ rssBytes }) => rssBytes)),
    tools_list_tokens: connection.toolsListTokens,
    operations: report.operations.map(operationSummary),
    sweep: report.sweep,
    performance_score: performanceScore,
    findings: findings.map(({ rule, title, subject, priority, confidence, suggestion }) => ({
      rule,
      title,
      subject,
      priority,
      confidence,
      suggestion,
    })),
    profiles: report.profiles,
    notes: report.notes,
  }
}

function operationSummary(operation: McpOperation): Record<string, unknown> {
  const latency = {
    slots: Uint16Array.from(operation.latency.slots),
    counts: Float64Array.from(operation.latency.counts),
  }
  const [p50, p95, p99] = percentilesOf(latency, [50, 95, 99]).map(milliseconds)
  return {
    method: operation.method,
    name: operation.name,
    calls: operation.calls,
    failed: operation.failures.reduce((sum, { count }) => sum + count, 0),
    mean_ms: milliseconds(meanOf(latency)),
    p50_ms: p50,
    p95_ms: p95,
    p99_ms: p99,
    result_bytes_mean: rounded(operation.resultBytes.mean),
    result_tokens_mean: operation.resultTokens === null ? null : rounded(operation.resultTokens.mean),
  }
}

function milliseconds(microseconds: number | null | undefined): number | null {
  return typeof microseconds === 'number' ? microseconds / 1000 : null
}

/** To thousandths, which is as exact as what is measured. */
function rounded(value: number): number {
  return Math.round(1000 * value) / 1000
}
