import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { answerAlertThresholds, appOfProject } from '../live/answer-alert-thresholds.ts'
import { getProject } from '../targets.ts'
import { answerMcpThresholds, targetOfProject } from './answer-mcp-thresholds.ts'
import { kindOfThresholds } from './threshold-kind.ts'

export const getAlertThresholds = implement(operations.getAlertThresholds)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  if (kindOfThresholds(input) === 'mcp_target') {
    const target = await targetOfProject(context, project, input.mcp_target_id)
    return answerMcpThresholds(context, project, target)
  }
  const app = await appOfProject(context, project, input.live_app_id)
  return answerAlertThresholds(context, project, app)
})
