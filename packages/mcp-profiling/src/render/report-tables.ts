import { countOf, meanOf, percentilesOf } from '@flamegate/series'
import { failedCalls, operationTitle } from '../operation-key.ts'
import { histogramOf } from '../report-histogram.ts'
import type { McpReport } from '../report.ts'
import { insideTables } from './inside-tables.ts'
import { memoryTables } from './memory-tables.ts'
import type { Table } from './table.ts'
import { formatBytes, formatMs, formatNumber, formatShare } from './format.ts'

/** What a report says, as tables: the same in a terminal, in markdown and in a page. */
export function reportTables(report: McpReport, topFunctions?: number): Table[] {
  return [
    operationTable(report),
    connectionTable(report),
    loadTable(report),
    sweepTable(report),
    resourceTable(report),
    ...insideTables(report, topFunctions),
    ...memoryTables(report),
  ].filter(({ rows }) => rows.length > 0)
}

function operationTable({ operations }: McpReport): Table {
  return {
    title: 'Operations',
    columns: [
      'operation',
      'calls',
      'failed',
      'mean ms',
      'p50',
      'p90',
      'p95',
      'p99',
      'max',
      'result',
      'tokens',
    ],
    rows: operations.map((operation) => {
      const latency = histogramOf(operation.latency)
      const mean = meanOf(latency)
      return [
        operationTitle(operation),
        formatNumber(operation.calls),
        formatNumber(failedCalls(operation)),
        ...[mean, ...percentilesOf(latency, [50, 90, 95, 99, 100])].map((value) =>
          formatMs(value === null ? null : value / 1000),
        ),
        formatBytes(countOf(latency) === 0 ? null : operation.resultBytes.mean),
        formatNumber(operation.resultTokens?.mean ?? null),
      ]
    }),
  }
}

function connectionTable({ connection }: McpReport): Table {
  const rows: [string, string][] = [
    ['process start', `${formatMs(connection.processStartMs)} ms`],
    ['OAuth', `${formatMs(connection.oauthMs)} ms`],
    ['initialize', `${formatMs(connection.initializeMs)} ms`],
    ['tools/list', `${formatMs(connection.toolsListMs)} ms`],
    ['size of tools/list', formatBytes(connection.toolsListBytes)],
    ['tokens of tools/list, estimated', formatNumber(connection.toolsListTokens)],
    ['tools', formatNumber(connection.tools)],
  ]
  return {
    title: 'Connection',
    columns: ['phase', 'value'],
    rows: rows.filter(([, value]) => !value.startsWith('–')),
  }
}

function loadTable({ load }: McpReport): Table {
  if (load === null) return { title: 'Load', columns: [], rows: [] }
  return {
    title: 'Load',
    columns: ['model', 'calls per second', 'best second', 'answered', 'of', 'failed', 'seconds'],
    rows: [
      [
        load.model === 'closed'
          ? `closed, ${load.concurrent} at once`
          : `open, ${formatNumber(load.targetRps)} per second`,
        formatNumber(load.requestsPerSecond),
        formatNumber(load.peakRequestsPerSecond),
        formatNumber(load.ended),
        formatNumber(load.started),
        formatShare(load.errorRate),
        formatNumber(load.durationMs / 1000),
      ],
    ],
  }
}

function sweepTable({ sweep }: McpReport): Table {
  return {
    title: 'Other loads',
    columns: ['at once', 'rate asked', 'calls per second', 'p50 ms', 'p95', 'p99', 'failed', 'cpu %'],
    rows: sweep.map((each) => [
      formatNumber(each.concurrent),
      formatNumber(each.targetRps),
      formatNumber(each.requestsPerSecond),
      formatMs(each.p50Ms),
      formatMs(each.p95Ms),
      formatMs(each.p99Ms),
      formatShare(each.errorRate),
      formatNumber(each.cpuPercent),
    ]),
  }
}

function resourceTable({ resources }: McpReport): Table {
  const last = resources.at(-1)
  if (last === undefined) return { title: 'Processes', columns: [], rows: [] }
  const cpu = resources.map(({ cpuPercent }) => cpuPercent)
  const rss = resources.map(({ rssBytes }) => rssBytes)
  return {
    title: 'Processes',
    columns: [
      'cpu % mean',
      'cpu % max',
      'memory mean',
      'memory max',
      'read',
      'written',
      'processes',
      'threads',
    ],
    rows: [
      [
        formatNumber(cpu.reduce((sum, value) => sum + value, 0) / cpu.length),
        formatNumber(Math.max(...cpu)),
        formatBytes(rss.reduce((sum, value) => sum + value, 0) / rss.length),
        formatBytes(Math.max(...rss)),
        formatBytes(last.readBytes),
        formatBytes(last.writeBytes),
        formatNumber(last.processes),
        formatNumber(last.threads),
      ],
    ],
  }
}
