import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { githubReportOnWire } from './on-wire.ts'

export const getGithubReport = implement(operations.getGithubReport)(async (input, context) => {
  const { caller, deps } = context
  const project = await getProject(context, input.project_id)
  const report = await deps.stores.githubReports.find(caller, project.id)
  return githubReportOnWire(project, report, deps.githubApiUrl)
})
