import type { McpOperation, McpReport } from '@flamegate/mcp-profiling/judgement'
import { microseconds, slotOf } from '@flamegate/series'
import { arch, cpus, release, totalmem, type as systemName } from 'node:os'
import type { CollectedOperation, PerformanceData } from './performance-data.ts'

const none = { slots: [], counts: [] }

/** The same as a report, which is what rules are asked about. What nobody measures from within is null or empty. */
export function reportOf(data: PerformanceData): McpReport {
  const { startedAt, durationMs, resources, heap, gc, eventLoopDelay, notes } = data
  const operations = data.operations.map(operationOf)
  const calls = sum(operations.map((operation) => operation.calls))
  const failed = sum(operations.flatMap(({ failures }) => failures.map(({ count }) => count)))
  const processors = cpus()
  return {
    type: 'mcp_profiler_report',
    version: 1,
    command: 'profiler',
    startedAt,
    durationMs,
    target: { name: '', transport: 'stdio', command: null, url: null, server: null, label: null },
    machine: {
      os: `${systemName()} ${release()}`,
      arch: arch(),
      cpuModel: processors[0]?.model ?? 'unknown',
      cpuCount: processors.length,
      memoryBytes: totalmem(),
      runtime: `Node.js ${process.version}`,
    },
    connection: {
      processStartMs: null,
      oauthMs: null,
      initializeMs: null,
      toolsListMs: null,
      toolsListBytes: null,
      toolsListTokens: null,
      tools: null,
    },
    load: {
      // Clients call when they like.
      model: 'open',
      concurrent: 0,
      targetRps: null,
      rampUpMs: 0,
      durationMs,
      started: calls,
      ended: calls,
      requestsPerSecond: (1000 * calls) / Math.max(1, durationMs),
      peakRequestsPerSecond: (1000 * calls) / Math.max(1, durationMs),
      perSecond: [],
      errorRate: calls === 0 ? 0 : failed / calls,
      generatorLimited: null,
    },
    operations,
    sweep: [],
    resources: resources.map((sample) => ({
      ...sample,
      readBytes: null,
      writeBytes: null,
      processes: 1,
      threads: null,
      openFiles: null,
    })),
    inside: {
      runtime: 'node',
      heap: heap.map((sample) => ({ ...sample, isAfterGc: true })),
      gc: { ...gc, share: gc.totalMs / Math.max(1, durationMs), byKind: {}, events: [] },
      eventLoopDelay,
      hotFunctions: data.hotFunctions,
      growth: data.growth.map((each) => ({ ...each, count: 0 })),
    },
    profiles: [],
    notes,
  }
}

function operationOf({ name, calls, failures, durations }: CollectedOperation): McpOperation {
  const space = name.indexOf(' ')
  const times = histogramOf(durations)
  return {
    method: space === -1 ? name : name.slice(0, space),
    name: space === -1 ? null : name.slice(space + 1),
    calls,
    failures: failures.map(({ message, count }) => ({ kind: 'is_error', code: null, count, message })),
    latency: times,
    serviceTime: times,
    firstEvent: none,
    serverTime: none,
    requestBytes: { mean: 0, max: 0 },
    resultBytes: { mean: 0, max: 0 },
    resultTokens: null,
    blockMeansMs: [],
  }
}

function histogramOf(durations: CollectedOperation['durations']): McpOperation['latency'] {
  const bySlot = new Map<number, number>()
  for (const { ms, count } of durations) {
    const slot = slotOf(microseconds(ms))
    bySlot.set(slot, (bySlot.get(slot) ?? 0) + count)
  }
  return { slots: [...bySlot.keys()], counts: [...bySlot.values()] }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
