import { mcpReport } from '@flamegate/mcp-profiling'
import { Problem, type operations, type OutputOf } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import { alertThresholdsOf, setFor } from '../live/alert-thresholds-of.ts'
import type { LiveAlert, McpTarget, Project, StoredAlertThresholds } from '../ports/index.ts'
import { readMcpAlerts } from './judge-report.ts'
import { latestUnderLoad } from './judge-target.ts'
import { getMcpTarget } from './reaching.ts'

type Answer = OutputOf<typeof operations.setAlertThresholds>

/** Targets that are judged for an answer. */
export const judgedTargetsMax = 20

/**
 * An MCP target of the project, when one is named.
 * @throws Problem `mcp_target_not_found`
 */
export async function targetOfProject(
  context: CallContext,
  project: Pick<Project, 'id'>,
  id: string | undefined,
): Promise<McpTarget | undefined> {
  const target = id === undefined ? undefined : await getMcpTarget(context, id)
  if (target === undefined || target.projectId === project.id) return target
  throw new Problem('mcp_target_not_found', 'That MCP target belongs to another project.')
}

/** Thresholds of the MCP targets of a project or of one of them, and how their latest sessions stand to them. */
export async function answerMcpThresholds(
  context: CallContext,
  project: Pick<Project, 'id'>,
  target: McpTarget | undefined,
): Promise<Answer> {
  const { caller, deps } = context
  const { mcp, liveAlerts } = deps.stores
  const [stored, lasting, targets] = await Promise.all([
    liveAlerts.listThresholds(caller, project.id),
    liveAlerts.listLasting(caller, project.id),
    target === undefined ? mcp.listTargets(caller, project.id) : [target],
  ])
  const judged = await Promise.all(
    targets.slice(0, judgedTargetsMax).map((each) => judgedOnWire(context, each, stored, lasting)),
  )
  return {
    project_id: project.id,
    target: 'mcp_target',
    live_app_id: null,
    mcp_target_id: target?.id ?? null,
    thresholds: alertThresholdsOf(stored, 'mcp_target', target?.id ?? null),
    judged: [],
    mcp_targets: judged.flat(),
  }
}

async function judgedOnWire(
  context: CallContext,
  target: McpTarget,
  stored: readonly StoredAlertThresholds[],
  lasting: readonly Pick<LiveAlert, 'targetId' | 'type'>[],
): Promise<Answer['mcp_targets']> {
  const thresholds = alertThresholdsOf(stored, 'mcp_target', target.id)
  if (Object.values(thresholds).every((each) => each === null)) return []
  const session = await latestUnderLoad(context, target)
  const left = session && (await context.deps.stores.mcp.report(context.caller, session.id))
  if (session === undefined || left?.report == null) return []
  const own = setFor(stored, 'mcp_target', target.id)
  return [...readMcpAlerts(mcpReport.parse(left.report), thresholds)].map(([type, reading]) => {
    const isAlerting = lasting.some((alert) => alert.targetId === target.id && alert.type === type)
    const head = {
      mcp_target_id: target.id,
      mcp_target: target.name,
      mcp_session_id: session.id,
      type,
      is_own: own[type] !== undefined,
    }
    if ('unjudged' in reading) {
      const state = isAlerting ? 'alerting' : 'unjudged'
      return { ...head, state, value: null, limit: null, unit: null, of: '', reason: reading.unjudged }
    }
    const { value, limit, unit, of } = reading
    const state = isAlerting ? 'alerting' : value > limit ? 'over' : 'calm'
    return { ...head, state, value, limit, unit, of, reason: '' }
  })
}
