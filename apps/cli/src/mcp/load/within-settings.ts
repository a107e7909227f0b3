import type { McpOperation, McpProfilerConfiguration } from '@flamegate/mcp-profiling'
import type { Settings } from '../settings.ts'
import type { McpLoad } from './make-load.ts'
import type { MeasuredLoad } from './measure-load.ts'

/** A load that ends when as many calls began as the file says; its default is none for loads, whose histograms take any number. */
export function withinSamples(load: McpLoad, { configuration, said }: Settings): McpLoad {
  if (!said.has('profiler.maxSamples')) return load
  const { maxSamples } = configuration.profiler
  if (load.model === 'closed') return { ...load, requests: Math.min(load.requests ?? Infinity, maxSamples) }
  // While the rate grows, half as many calls begin.
  const inRampUp = (load.rps * load.rampUpMs) / 2000
  const endsAtMs =
    maxSamples <= inRampUp
      ? Math.sqrt((2 * load.rampUpMs * maxSamples * 1000) / load.rps)
      : load.rampUpMs + (1000 * (maxSamples - inRampUp)) / load.rps
  return { ...load, durationMs: Math.min(load.durationMs, endsAtMs) }
}

const nothing = { slots: [], counts: [] }

/** What was measured, without what the file says is not to be recorded. */
export function asRecorded(
  measured: MeasuredLoad,
  {
    responseTimeTracking,
    throughputMeasurement,
    resourceMonitoring,
  }: McpProfilerConfiguration['performance'],
): MeasuredLoad {
  const { load, operations, notes } = measured
  const left: string[] = []
  if (!responseTimeTracking) left.push('the times of calls (performance.responseTimeTracking)')
  if (!throughputMeasurement) left.push('calls of each second (performance.throughputMeasurement)')
  if (!resourceMonitoring) left.push('what the processes use (performance.resourceMonitoring)')
  if (left.length === 0) return measured
  return {
    ...measured,
    operations: responseTimeTracking ? operations : operations.map(withoutTimes),
    load: throughputMeasurement
      ? load
      : { ...load, perSecond: [], peakRequestsPerSecond: load.requestsPerSecond },
    notes: [...notes, `Not recorded, because the configuration says so: ${left.join('; ')}.`],
  }
}

function withoutTimes(operation: McpOperation): McpOperation {
  return {
    ...operation,
    latency: nothing,
    serviceTime: nothing,
    firstEvent: nothing,
    serverTime: nothing,
    blockMeansMs: operation.blockMeansMs.map(() => null),
  }
}
