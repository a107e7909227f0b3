import { operations, type OutputOf } from '@flamegate/contract'
import {
  compareReports,
  type McpReport,
  type MetricComparison,
  type OperationComparison,
} from '@flamegate/mcp-profiling'
import { implement, type CallContext } from '../implement.ts'
import type { McpSession, McpTarget } from '../ports/index.ts'
import { sessionOf } from './get-mcp-metrics.ts'
import { getMcpTarget, noReport, reportOf } from './reaching.ts'

type Answer = OutputOf<typeof operations.compareMcpSessions>

/** Operations that are told, most changed first. */
const operationsMax = 10

export const compareMcpSessions = implement(operations.compareMcpSessions)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  const head = await chosen(context, target, input.head, {})
  const base = await chosen(context, target, input.base, {
    command: head.command,
    ...(head.startedAt === null ? {} : { before: head.startedAt }),
  })
  const [baseReport, headReport] = await Promise.all([reportOf(context, base), reportOf(context, head)])
  const compared = compareReports(baseReport, headReport, { thresholdPercent: input.threshold_percent })
  const changed = compared.operations.toSorted((a, b) => changeOf(b) - changeOf(a))
  return {
    project_id: target.projectId,
    mcp_target_id: target.id,
    target: target.name,
    base: sideOf(base, baseReport),
    head: sideOf(head, headReport),
    threshold_percent: compared.thresholdPercent,
    confidence: compared.confidence,
    verdict: compared.verdict,
    summary: compared.summary,
    regressions: compared.regressions,
    improvements: compared.improvements,
    overall: measured(compared.overall),
    operations: changed
      .slice(0, operationsMax)
      .map(({ method, name, metrics }) => ({ method, name, metrics: measured(metrics) })),
    operations_left_out: Math.max(0, changed.length - operationsMax),
    environment_differences: compared.environmentDifferences.map(
      ({ key, base: before, head: after, weight, reason }) => ({
        key,
        base: before,
        head: after,
        weight,
        reason,
      }),
    ),
    notes: compared.notes,
  }
})

/** A session by its id or label; else the latest that fits. */
async function chosen(
  context: CallContext,
  target: Pick<McpTarget, 'id' | 'name'>,
  named: string | undefined,
  otherwise: { command?: string; before?: Date },
): Promise<McpSession> {
  if (named?.startsWith('mcs_') === true) return sessionOf(context, target, named)
  const { caller, deps } = context
  const filter = named === undefined ? otherwise : { label: named }
  const [session] = await deps.stores.mcp.reported(caller, target.id, { limit: 1, ...filter })
  if (session !== undefined) return session
  throw noReport(
    named !== undefined
      ? `${target.name} has no session with the label ${named}.`
      : otherwise.command === undefined
        ? `${target.name} has no session with a report yet.`
        : `${target.name} has no earlier session by ${otherwise.command} to compare with: name one as base.`,
  )
}

/** The largest change of time of an operation, in either direction. */
function changeOf({ metrics }: OperationComparison): number {
  return metrics.reduce(
    (most, { changePercent, verdict }) =>
      verdict === 'not_judged' ? most : Math.max(most, Math.abs(changePercent ?? 0)),
    0,
  )
}

function measured(metrics: readonly MetricComparison[]): Answer['overall'] {
  return metrics
    .filter(({ base, head }) => base !== null || head !== null)
    .map((metric) => ({
      metric: metric.metric,
      base: short(metric.base),
      head: short(metric.head),
      change_percent: short(metric.changePercent),
      low_percent: short(metric.lowPercent),
      high_percent: short(metric.highPercent),
      p_value: short(metric.pValue),
      verdict: metric.verdict,
      is_counted: metric.isCounted,
    }))
}

/** Five digits are enough for whoever reads it. */
function short(value: number | null): number | null {
  return value === null ? null : Number(value.toPrecision(5))
}

function sideOf({ id, label, command, serverVersion }: McpSession, { startedAt }: McpReport): Answer['base'] {
  return { session_id: id, label, command, started_at: startedAt, server_version: serverVersion }
}
