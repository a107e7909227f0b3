import { equalFailuresP, type Failed } from '../compare/error-change.ts'
import { failedCalls, operationTitle } from '../operation-key.ts'
import type { McpErrorKind, McpReport } from '../report.ts'
import type { Finding, RuleAnswer } from './finding.ts'
import { thresholds } from './thresholds.ts'

const kindWords: Record<McpErrorKind, string> = {
  json_rpc: 'a JSON-RPC error',
  is_error: 'a result with isError',
  timeout: 'no answer in time',
  http: 'an HTTP status that is no answer',
  transport: 'a connection that broke',
  ended: 'a process that ended',
}

const advice: Record<McpErrorKind, string> = {
  json_rpc:
    'Look at the code: −32602 means that the arguments did not suit, so give some with --arguments; −32603 is a fault of the server.',
  is_error:
    'The tool says itself that it failed: read the message; arguments made of a schema may mean nothing to it, so give some with --arguments.',
  timeout: 'Find out whether calls are only slow (diagnose slow-response), or lost.',
  http: '429 and 503 mean that the server or what stands before it refuses load; 401 and 403 that the login does not reach so far.',
  transport:
    'Look whether the server, or what stands before it, closes connections: limits of connections, idle timeouts, memory.',
  ended: 'Read what the server writes to its standard error: it ended while it was called.',
}

/** Operations that fail, by kind and code. */
export function errors({ operations }: McpReport): RuleAnswer {
  if (operations.length === 0) return { notAsked: 'nothing was called' }
  return operations.flatMap((operation) =>
    operation.failures
      .filter(({ count }) => count / operation.calls >= thresholds.errorShare)
      .map(({ kind, code, count, message }): Finding => {
        const share = count / operation.calls
        const title = operationTitle(operation)
        return {
          rule: 'errors',
          type: 'other',
          title: `${percent(share)} of the calls of ${title} ended in ${kindWords[kind]}${code === null ? '' : ` (${code})`}.`,
          subject: title,
          evidence: [
            { name: 'failed', value: count, unit: '' },
            { name: 'calls', value: operation.calls, unit: '' },
            { name: 'threshold', value: thresholds.errorShare, unit: '' },
            { name: 'kind', value: kind, unit: '' },
            ...(code === null ? [] : [{ name: 'code', value: code, unit: '' }]),
            { name: 'message', value: message, unit: '' },
          ],
          confidence: count >= 5 ? 'high' : 'medium',
          priority: share >= 0.1 ? 'high' : 'medium',
          suggestion: advice[kind],
        }
      }),
  )
}

/** One number of calls at once, and how many of them failed: of one operation, or of all. */
interface Level extends Failed {
  concurrent: number
  /** Of the first that failed. */
  message: string
}

/**
 * Errors that come only, or far more, when calls run at the same time: by operation where the sweep tells them apart, and in bursts.
 * In a sweep of all operations two calls of one are at the same time by chance, and seldom beside slow ones.
 */
export function errorsUnderConcurrency(report: McpReport): RuleAnswer {
  const { bursts = [] } = report
  const series = [...sweepSeries(report), ...burstSeries(report)]
  if (series.length === 0) return { notAsked: 'other numbers of concurrent calls were not tried' }
  const rising = series.flatMap(({ title, levels }) => risingErrors(title, levels, series.length))
  const findings = rising.filter(
    ({ subject }, place) => rising.findIndex((other) => other.subject === subject) === place,
  )
  const untold = bursts.filter(({ together }) => together.overlapped < thresholds.overlappedMin)
  if (findings.length > 0 || untold.length === 0) return findings
  const counts = untold.map(({ operation, together }) => `${together.overlapped} of ${operation}`)
  return {
    notAsked: `not enough calls overlapped: ${counts.join(', ')}, where ${thresholds.overlappedMin} are needed`,
  }
}

/** What is compared with each other: calls of one operation, or of all. */
interface Series {
  title: string | null
  levels: Level[]
}

function sweepSeries({ sweep, operations, load }: McpReport): Series[] {
  const levels = sweep
    .filter(({ targetRps }) => targetRps === null)
    .toSorted((a, b) => a.concurrent - b.concurrent)
  if (levels.length < 2) return []
  const titles = new Set(
    levels.flatMap((level) => (level.operations ?? []).map(({ operation }) => operation)),
  )
  if (titles.size === 0) return [{ title: null, levels: levels.map(wholeLevel) }]
  return [...titles].map((title) => ({
    title,
    levels: [
      ...aloneInLoad({ operations, load }, title),
      ...levels.flatMap((level) => levelOf(level, title)),
    ],
  }))
}

function burstSeries({ bursts = [], operations, load }: McpReport): Series[] {
  return bursts.map(({ operation: title, concurrent, alone, together }) => ({
    title,
    levels: [
      ...aloneInLoad({ operations, load }, title),
      { concurrent: 1, calls: alone.calls, failed: failedCalls(alone), message: '' },
      {
        concurrent,
        calls: together.calls,
        failed: failedCalls(together),
        message: together.failures[0]?.message ?? '',
      },
    ],
  }))
}

/** The load before was one call after the other, too. */
function aloneInLoad({ operations, load }: Pick<McpReport, 'operations' | 'load'>, title: string): Level[] {
  const own = operations.find((operation) => operationTitle(operation) === title)
  if (own === undefined || load?.model !== 'closed' || load.concurrent !== 1) return []
  return [{ concurrent: 1, calls: own.calls, failed: failedCalls(own), message: '' }]
}

function levelOf({ concurrent, operations = [] }: McpReport['sweep'][number], title: string): Level[] {
  const own = operations.find(({ operation }) => operation === title)
  if (own === undefined) return []
  return [{ concurrent, calls: own.calls, failed: failedCalls(own), message: own.failures[0]?.message ?? '' }]
}

/** A sweep of before tells rates and no numbers: those of ten seconds, if it was no longer, are taken. */
function wholeLevel({ concurrent, requestsPerSecond, errorRate }: McpReport['sweep'][number]): Level {
  const calls = Math.round(10 * requestsPerSecond)
  return { concurrent, calls, failed: Math.round(errorRate * calls), message: '' }
}

/** @param tried so many series, of which chance makes one look bad more easily than one alone */
function risingErrors(title: string | null, levels: readonly Level[], tried: number): Finding[] {
  const lowest = Math.min(...levels.map(({ concurrent }) => concurrent))
  const more = levels.filter(({ concurrent, calls }) => concurrent > lowest && calls > 0)
  const alone = sumOf(levels.filter(({ concurrent }) => concurrent === lowest))
  const together = sumOf(more)
  const base = errorRateOf(alone)
  const isMore = (rate: number): boolean =>
    rate - base >= thresholds.errorShare && rate >= thresholds.errorTimes * base
  const pValue = Math.min(1, equalFailuresP(alone, together) * tried)
  if (!isMore(errorRateOf(together)) || pValue >= thresholds.errorPMax) return []
  const rising = more.filter((level) => isMore(errorRateOf(level)))
  const [first] = rising
  if (first === undefined) return []
  const worst = rising.reduce((one, other) => (errorRateOf(other) > errorRateOf(one) ? other : one))
  const calls = title === null ? 'the calls' : `the calls of ${title}`
  return [
    {
      rule: 'errors_under_concurrency',
      type: 'other',
      title: `${percent(errorRateOf(worst))} of ${calls} failed with ${worst.concurrent} calls at once, and ${percent(base)} with ${lowest}.`,
      subject: title,
      evidence: [
        { name: 'error_rate_at_lowest', value: base, unit: '' },
        { name: 'error_rate_at_worst', value: errorRateOf(worst), unit: '' },
        { name: 'threshold_rise', value: thresholds.errorShare, unit: '' },
        { name: 'concurrent_at_lowest', value: lowest, unit: '' },
        { name: 'first_seen_at', value: first.concurrent, unit: '' },
        { name: 'p_value', value: pValue, unit: '' },
        ...(worst.message === '' ? [] : [{ name: 'message', value: worst.message, unit: '' }]),
      ],
      confidence: pValue < thresholds.errorPMax / 10 ? 'high' : 'medium',
      priority: 'high',
      suggestion: `From ${first.concurrent} calls at once on something is shared that is not made for it: state between calls, a pool that runs out, a file that is locked, a limit further on.`,
    },
  ]
}

function sumOf(levels: readonly Failed[]): Failed {
  return {
    calls: levels.reduce((sum, { calls }) => sum + calls, 0),
    failed: levels.reduce((sum, { failed }) => sum + failed, 0),
  }
}

function errorRateOf({ calls, failed }: Failed): number {
  return calls === 0 ? 0 : failed / calls
}

/** Whether anything failed at all, for the score. */
export function errorShareOf({ operations }: McpReport): number | null {
  const calls = operations.reduce((sum, operation) => sum + operation.calls, 0)
  return calls === 0 ? null : operations.reduce((sum, operation) => sum + failedCalls(operation), 0) / calls
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
}
