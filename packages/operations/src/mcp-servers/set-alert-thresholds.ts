import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import type { AlertThresholds } from '../ports/index.ts'
import { getProject } from '../targets.ts'
import { liveAlertTypes } from '../live/alert-thresholds-of.ts'
import { answerAlertThresholds, appOfProject } from '../live/answer-alert-thresholds.ts'

export const setAlertThresholds = implement(operations.setAlertThresholds)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const app = await appOfProject(context, project, input.live_app_id)
  const given: Partial<AlertThresholds> = Object.fromEntries(
    liveAlertTypes.flatMap((type) => (input[type] === undefined ? [] : [[type, input[type]]])),
  )
  if (input.reset || Object.keys(given).length > 0)
    await context.deps.stores.liveAlerts.setThresholds(context.caller, {
      workspaceId: project.workspaceId,
      projectId: project.id,
      targetKind: input.target,
      liveAppId: app?.id ?? null,
      thresholds: given,
      isReset: input.reset,
    })
  return answerAlertThresholds(context, project, app)
})
