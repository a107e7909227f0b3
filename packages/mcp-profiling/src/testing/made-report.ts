import { slotOf } from '@flamegate/series'
import type { McpOperation, McpReport } from '../report.ts'

/** A histogram of so many milliseconds each, for tests. */
export function histogramOfMs(valuesMs: readonly number[]): McpOperation['latency'] {
  const counts = new Map<number, number>()
  for (const value of valuesMs) {
    const slot = slotOf(Math.round(1000 * value))
    counts.set(slot, (counts.get(slot) ?? 0) + 1)
  }
  const entries = [...counts].toSorted(([a], [b]) => a - b)
  return { slots: entries.map(([slot]) => slot), counts: entries.map(([, count]) => count) }
}

const none = { slots: [], counts: [] }

/** An operation of a healthy server, for tests. */
export function madeOperation(changes: Partial<McpOperation> = {}): McpOperation {
  const latency = changes.latency ?? histogramOfMs(spread(10, 400))
  return {
    method: 'tools/call',
    name: 'look_up',
    calls: latency.counts.reduce((sum, count) => sum + count, 0),
    failures: [],
    latency,
    serviceTime: changes.serviceTime ?? latency,
    firstEvent: none,
    serverTime: none,
    requestBytes: { mean: 120, max: 130 },
    resultBytes: { mean: 900, max: 1100 },
    resultTokens: { mean: 220, max: 260 },
    blockMeansMs: Array.from({ length: 20 }, (_, at) => 10 + 0.1 * Math.sin(at)),
    ...changes,
  }
}

/** A report of a healthy server at rest in itself, for tests. */
export function madeReport(changes: Partial<McpReport> = {}): McpReport {
  return {
    type: 'mcp_profiler_report',
    version: 1,
    command: 'load-test',
    startedAt: '2026-11-22T10:00:00Z',
    durationMs: 30_000,
    target: {
      name: 'notes',
      transport: 'streamable_http',
      command: null,
      url: 'http://127.0.0.1:3000/mcp',
      server: { name: 'notes', version: '1.0.0', protocolVersion: '2025-06-18' },
      label: null,
    },
    machine: {
      os: 'linux 6.8.0',
      arch: 'x64',
      cpuModel: 'Example 3000',
      cpuCount: 4,
      memoryBytes: 2 ** 34,
      runtime: 'node 24.0.0',
    },
    connection: {
      processStartMs: null,
      oauthMs: null,
      initializeMs: 4,
      toolsListMs: 3,
      toolsListBytes: 6000,
      toolsListTokens: 1400,
      tools: 8,
    },
    load: {
      model: 'closed',
      concurrent: 4,
      targetRps: null,
      rampUpMs: 0,
      durationMs: 30_000,
      started: 3000,
      ended: 3000,
      requestsPerSecond: 100,
      peakRequestsPerSecond: 104,
      perSecond: Array.from({ length: 30 }, (_, at) => 100 + (at % 3)),
      errorRate: 0,
      generatorLimited: null,
    },
    operations: [madeOperation()],
    sweep: [],
    resources: Array.from({ length: 30 }, (_, at) => ({
      atMs: 1000 * (at + 1) - 500,
      cpuPercent: 40 + (at % 4),
      rssBytes: 80_000_000 + 10_000 * (at % 5),
      readBytes: 0,
      writeBytes: 0,
      processes: 1,
      threads: 11,
      openFiles: 24,
    })),
    inside: null,
    profiles: [],
    notes: [],
    ...changes,
  }
}

/** Values around a middle, within a fifth, always the same. */
export function spread(middle: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => middle * (1 + 0.2 * Math.sin(at * 2.399963)))
}
