import { equalFailuresP } from '../compare/error-change.ts'
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

/** Errors that come only, or far more, when calls run at the same time. */
export function errorsUnderConcurrency({ sweep }: McpReport): RuleAnswer {
  const levels = sweep
    .filter(({ targetRps }) => targetRps === null)
    .toSorted((a, b) => a.concurrent - b.concurrent)
  const [alone] = levels
  const worst = levels
    .slice(1)
    .reduce<(typeof levels)[number] | undefined>(
      (one, other) => (one === undefined || other.errorRate > one.errorRate ? other : one),
      undefined,
    )
  if (alone === undefined || worst === undefined)
    return { notAsked: 'other numbers of concurrent calls were not tried' }
  const rise = worst.errorRate - alone.errorRate
  if (rise < thresholds.errorShare || worst.errorRate < 3 * alone.errorRate) return []
  const first = levels.find(({ errorRate }) => errorRate - alone.errorRate >= thresholds.errorShare) ?? worst
  return [
    {
      rule: 'errors_under_concurrency',
      type: 'other',
      title: `${percent(worst.errorRate)} of the calls failed with ${worst.concurrent} at once, and ${percent(alone.errorRate)} with ${alone.concurrent}.`,
      subject: null,
      evidence: [
        { name: 'error_rate_at_lowest', value: alone.errorRate, unit: '' },
        { name: 'error_rate_at_worst', value: worst.errorRate, unit: '' },
        { name: 'threshold_rise', value: thresholds.errorShare, unit: '' },
        { name: 'concurrent_at_lowest', value: alone.concurrent, unit: '' },
        { name: 'first_seen_at', value: first.concurrent, unit: '' },
      ],
      confidence: isTold(alone, worst) ? 'high' : 'medium',
      priority: 'high',
      suggestion: `From ${first.concurrent} calls at once on something is shared that is not made for it: state between calls, a pool that runs out, a file that is locked, a limit further on.`,
    },
  ]
}

/** A sweep tells rates and no numbers: those of ten seconds, if it was no longer, are taken. */
function isTold(alone: McpReport['sweep'][number], worst: McpReport['sweep'][number]): boolean {
  const [base, head] = [alone, worst].map(({ requestsPerSecond, errorRate }) => {
    const calls = Math.round(10 * requestsPerSecond)
    return { calls, failed: Math.round(errorRate * calls) }
  })
  return base !== undefined && head !== undefined && equalFailuresP(base, head) < 0.01
}

/** Whether anything failed at all, for the score. */
export function errorShareOf({ operations }: McpReport): number | null {
  const calls = operations.reduce((sum, operation) => sum + operation.calls, 0)
  return calls === 0 ? null : operations.reduce((sum, operation) => sum + failedCalls(operation), 0) / calls
}

function percent(share: number): string {
  return `${Number((100 * share).toPrecision(2))} %`
}
