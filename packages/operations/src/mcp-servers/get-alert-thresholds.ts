import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { answerAlertThresholds, appOfProject } from '../live/answer-alert-thresholds.ts'

export const getAlertThresholds = implement(operations.getAlertThresholds)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const app = await appOfProject(context, project, input.live_app_id)
  return answerAlertThresholds(context, project, app)
})
