import type { McpProfilerConfiguration, McpReport } from '@flamegate/mcp-profiling'
import type { JudgedValue } from '@flamegate/profiler/alerts'
import { latencyMsAt } from '../report/sweep-entry.ts'

/** What a report says about each thing that there may be an alert of, and from where on there is one. */
export function judgedValues(
  { load, operations, resources, machine }: McpReport,
  {
    cpuThreshold,
    memoryThreshold,
    responseTimeThreshold,
    errorRateThreshold,
  }: McpProfilerConfiguration['alerts'],
): JudgedValue[] {
  const cpu = resources.map(({ cpuPercent }) => cpuPercent / machine.cpuCount)
  const memory = resources.map(({ rssBytes }) => (100 * rssBytes) / machine.memoryBytes)
  return [
    {
      type: 'high_cpu',
      value: cpu.length === 0 ? null : cpu.reduce((sum, each) => sum + each, 0) / cpu.length,
      threshold: cpuThreshold,
      words: (value) => `${value.toFixed(0)} % of all processors`,
    },
    {
      type: 'high_memory',
      value: memory.length === 0 ? null : Math.max(...memory),
      threshold: memoryThreshold,
      words: (value) => `${value.toFixed(0)} % of the memory of the machine`,
    },
    {
      type: 'slow_response',
      value: latencyMsAt(operations, 95),
      threshold: responseTimeThreshold,
      words: (value) => `a 95th percentile of ${value.toFixed(1)} ms`,
    },
    {
      type: 'high_error_rate',
      value: load === null || load.started === 0 ? null : load.errorRate,
      threshold: errorRateThreshold,
      words: (value) => `${(100 * value).toFixed(1)} % of the calls failed`,
    },
  ]
}
