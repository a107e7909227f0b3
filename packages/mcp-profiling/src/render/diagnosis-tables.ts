import type { Diagnosis } from '../diagnose/finding.ts'
import { operationTitle } from '../operation-key.ts'
import type { McpFailure, McpReport } from '../report.ts'
import { formatBytes, formatMs, formatNumber, formatShare } from './format.ts'
import type { Table } from './table.ts'

const tracedMax = 20

/** What a diagnosis has beside its report: what was asked, and the evidence that is not of a single load. */
export function diagnosisTables(report: McpReport, diagnosis: Diagnosis): Table[] {
  return [
    traceTable(report),
    failureTable(report),
    sizeTable(report),
    interferenceTable(report),
    roundTable(report),
    ruleTable(diagnosis),
  ].filter(({ rows }) => rows.length > 0)
}

function traceTable({ trace = [] }: McpReport): Table {
  return {
    title: 'Slowest calls',
    columns: [
      'operation',
      'at second',
      'all ms',
      'wait',
      'send',
      'first byte',
      'receive',
      'server',
      'request',
      'result',
      'failure',
    ],
    rows: trace
      .slice(0, tracedMax)
      .map((call) => [
        call.operation,
        formatNumber(Math.round(call.atMs / 10) / 100),
        ...[call.totalMs, call.waitMs, call.sendMs, call.firstByteMs, call.receiveMs, call.serverMs].map(
          formatMs,
        ),
        formatBytes(call.requestBytes),
        formatBytes(call.resultBytes),
        call.failure ?? '',
      ]),
  }
}

interface FailedWay {
  operation: string
  failure: McpFailure
  /** Share of the calls that failed so, and how many calls there were at once. */
  seen: { concurrent: number; share: number }[]
}

/** By operation, kind and code; and whether they come with calls at the same time. */
function failureTable(report: McpReport): Table {
  const ways = new Map<string, FailedWay>()
  const add = (operation: string, failure: McpFailure, concurrent: number, calls: number): void => {
    const key = JSON.stringify([operation, failure.kind, failure.code])
    const way = ways.get(key) ?? { operation, failure, seen: [] }
    way.seen.push({ concurrent, share: failure.count / calls })
    ways.set(key, way)
  }
  const levels = report.sweep
    .filter(({ operations }) => operations !== undefined)
    .toSorted((a, b) => a.concurrent - b.concurrent)
  const concurrent = report.load?.concurrent ?? 1
  for (const operation of report.operations)
    for (const failure of operation.failures)
      add(operationTitle(operation), failure, concurrent, operation.calls)
  for (const level of levels)
    for (const { operation, calls, failures } of level.operations ?? [])
      for (const failure of failures) add(operation, failure, level.concurrent, calls)
  for (const { operation, concurrent: atOnce, alone, together } of report.bursts ?? []) {
    for (const failure of alone.failures) add(operation, failure, 1, alone.calls)
    for (const failure of together.failures) add(operation, failure, atOnce, together.calls)
  }
  return {
    title: 'Failures',
    columns: [
      'operation',
      'kind',
      'code',
      'one at a time',
      'at worst',
      'calls at once then',
      'first message',
    ],
    rows: [...ways.values()].map(({ operation, failure, seen }) => {
      const alone = Math.max(0, ...seen.filter((each) => each.concurrent === 1).map(({ share }) => share))
      const worst = seen.reduce((one, other) => (other.share > one.share ? other : one))
      return [
        operation,
        failure.kind,
        failure.code === null ? '–' : String(failure.code),
        formatShare(alone),
        formatShare(worst.share),
        formatNumber(worst.concurrent),
        failure.message.slice(0, 80),
      ]
    }),
  }
}

function sizeTable({ operations }: McpReport): Table {
  return {
    title: 'Time by size of the request',
    columns: ['operation', 'request', 'calls', 'lower quartile ms'],
    rows: operations.flatMap((operation) =>
      (operation.bySize ?? []).map(({ requestBytes, calls, lowerQuartileMs }) => [
        operationTitle(operation),
        formatBytes(requestBytes),
        formatNumber(calls),
        formatMs(lowerQuartileMs),
      ]),
    ),
  }
}

/** For each operation the one that waits longest for it. */
function interferenceTable({ interference = [] }: McpReport): Table {
  const worst = [...Map.groupBy(interference, ({ during }) => during).values()].map((rows) =>
    rows.reduce((one, other) =>
      other.togetherMs - other.aloneMs > one.togetherMs - one.aloneMs ? other : one,
    ),
  )
  return {
    title: 'What others wait for',
    columns: ['while this runs', 'this is slowest', 'calls', 'alone, median ms', 'together'],
    rows: worst.map(({ operation, during, calls, aloneMs, togetherMs }) => [
      during,
      operation,
      formatNumber(calls),
      formatMs(aloneMs),
      formatMs(togetherMs),
    ]),
  }
}

function roundTable({ operations }: McpReport): Table {
  return {
    title: 'Operations by themselves',
    columns: ['operation', 'rounds', 'calls', 'cpu ms per call', 'kept bytes per call, each round'],
    rows: operations.flatMap((operation) => {
      const { byItself = [] } = operation
      const calls = byItself.reduce((sum, round) => sum + round.calls, 0)
      if (calls === 0) return []
      const isCpuSeen = byItself.every(({ cpuMs }) => cpuMs !== null)
      return [
        [
          operationTitle(operation),
          formatNumber(byItself.length),
          formatNumber(calls),
          formatMs(isCpuSeen ? byItself.reduce((sum, { cpuMs }) => sum + (cpuMs ?? 0), 0) / calls : null),
          byItself
            .map((round) =>
              formatNumber(
                round.keptBytes === null ? null : Math.round(round.keptBytes / Math.max(1, round.calls)),
              ),
            )
            .join(', '),
        ],
      ]
    }),
  }
}

function ruleTable({ rules, findings, notAsked }: Diagnosis): Table {
  return {
    title: 'Rules',
    columns: ['rule', 'what it says'],
    rows: rules.map((rule) => {
      const found = findings.filter((finding) => finding.rule === rule).length
      const reason = notAsked.find((each) => each.rule === rule)?.reason
      return [
        rule,
        reason === undefined ? (found === 0 ? 'nothing' : `found ${found}`) : `not asked: ${reason}`,
      ]
    }),
  }
}
