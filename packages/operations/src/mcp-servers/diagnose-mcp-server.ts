import { operations, type InputOf } from '@flamegate/contract'
import { diagnoseReport, type Diagnosis, type DiagnosisKind } from '@flamegate/mcp-profiling'
import { implement, type CallContext } from '../implement.ts'
import type { McpSession, McpTarget } from '../ports/index.ts'
import { sessionOf } from './get-mcp-metrics.ts'
import { getMcpTarget, noReport, reportOf } from './reaching.ts'

type About = InputOf<typeof operations.diagnoseMcpServer>['about']

const kindOf: Readonly<Record<Exclude<About, 'all'>, DiagnosisKind>> = {
  cpu: 'cpu',
  memory_leak: 'memory-leak',
  slow_response: 'slow-response',
  errors: 'errors',
}

/** What measures most of what the rules ask for, best first; else any session under load. */
const fittingCommands: Readonly<Record<About, readonly string[]>> = {
  all: ['diagnose'],
  cpu: ['diagnose', 'cpu'],
  memory_leak: ['diagnose', 'memory-leaks', 'heap-analysis', 'memory'],
  slow_response: ['diagnose'],
  errors: ['diagnose'],
}

/** How far back a fitting session is looked for. */
const lookedAt = 20

export const diagnoseMcpServer = implement(operations.diagnoseMcpServer)(async (input, context) => {
  const target = await getMcpTarget(context, input.mcp_target_id)
  const { about } = input
  const session =
    input.mcp_session_id === undefined
      ? await fittingSession(context, target, about)
      : await sessionOf(context, target, input.mcp_session_id)
  const report = await reportOf(context, session)
  const diagnosis = diagnoseReport(report, about === 'all' ? undefined : [kindOf[about]])
  return {
    project_id: target.projectId,
    mcp_target_id: target.id,
    target: target.name,
    session_id: session.id,
    started_at: report.startedAt,
    command: session.command,
    about,
    score: diagnosis.performanceScore,
    score_parts: diagnosis.scoreParts,
    findings: diagnosis.findings,
    plan: planOf(diagnosis, session),
    not_asked: diagnosis.notAsked,
  }
})

/** The latest session of those that tell most; else the latest under load; else the latest. */
async function fittingSession(
  { caller, deps }: CallContext,
  target: Pick<McpTarget, 'id' | 'name'>,
  about: About,
): Promise<McpSession> {
  const sessions = await deps.stores.mcp.reported(caller, target.id, { limit: lookedAt })
  const fitting = fittingCommands[about]
    .map((command) => sessions.find((session) => session.command === command))
    .find((session) => session !== undefined)
  const session = fitting ?? sessions.find(({ figures }) => figures?.score != null) ?? sessions[0]
  if (session === undefined) throw noReport(`${target.name} has no session with a report yet.`)
  return session
}

/** What to do about findings, the most urgent first, and then what to measure for rules that could not be asked. */
function planOf({ findings, notAsked }: Diagnosis, session: Pick<McpSession, 'id' | 'command'>) {
  const steps = findings.map(({ rule, subject, suggestion }) => ({
    do: suggestion,
    because: subject === null ? rule : `${rule}: ${subject}`,
    check: `Measure by ${session.command} again, and compare_mcp_sessions with ${session.id} as base.`,
  }))
  const missing =
    notAsked.length === 0 || session.command === 'diagnose'
      ? []
      : [
          {
            do: 'Call profile_mcp_server with measure diagnosis: it measures what the rules ask for.',
            because: `${notAsked.length} rules had nothing to judge by.`,
            check: 'not_asked is shorter then.',
          },
        ]
  return [...steps, ...missing].map((each, at) => ({ step: at + 1, ...each }))
}
