import { operations, type InputOf } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import { liveAlertTypes } from '../live/alert-thresholds-of.ts'
import { answerAlertThresholds, appOfProject } from '../live/answer-alert-thresholds.ts'
import type { AlertTarget, AlertThresholds, McpTarget, Project } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { answerMcpThresholds, judgedTargetsMax, targetOfProject } from './answer-mcp-thresholds.ts'
import { judgeMcpTarget } from './judge-target.ts'
import { kindOfThresholds } from './threshold-kind.ts'

type Input = InputOf<typeof operations.setAlertThresholds>

export const setAlertThresholds = implement(operations.setAlertThresholds)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const targetKind = kindOfThresholds(input)
  if (targetKind === 'mcp_target') {
    const target = await targetOfProject(context, project, input.mcp_target_id)
    if (await store(input, context, project, { targetKind, targetId: target?.id ?? null })) {
      await judgeAll(context, project, target)
    }
    return answerMcpThresholds(context, project, target)
  }
  const app = await appOfProject(context, project, input.live_app_id)
  await store(input, context, project, { targetKind, targetId: app?.id ?? null })
  return answerAlertThresholds(context, project, app)
})

/** @returns whether there was something to store */
async function store(
  input: Input,
  { caller, deps }: CallContext,
  project: Pick<Project, 'id' | 'workspaceId'>,
  target: { targetKind: AlertTarget; targetId: string | null },
): Promise<boolean> {
  const given: Partial<AlertThresholds> = Object.fromEntries(
    liveAlertTypes.flatMap((type) => {
      const threshold = input[type]
      if (threshold === undefined) return []
      // A session is judged as a whole: nothing has to last.
      const isOfSession = target.targetKind === 'mcp_target' && threshold !== null
      return [[type, isOfSession ? { ...threshold, for_seconds: 0 } : threshold]]
    }),
  )
  if (!input.reset && Object.keys(given).length === 0) return false
  const { id: projectId, workspaceId } = project
  await deps.stores.liveAlerts.setThresholds(caller, {
    workspaceId,
    projectId,
    ...target,
    thresholds: given,
    isReset: input.reset,
  })
  return true
}

/** Alerts are opened and ended by reports; what changed here counts for the latest of each target at once. */
async function judgeAll(
  context: CallContext,
  project: Pick<Project, 'id'>,
  target: McpTarget | undefined,
): Promise<void> {
  const targets =
    target === undefined ? await context.deps.stores.mcp.listTargets(context.caller, project.id) : [target]
  // oxlint-disable-next-line no-await-in-loop -- one after the other
  for (const each of targets.slice(0, judgedTargetsMax)) await judgeMcpTarget(context, each)
}
