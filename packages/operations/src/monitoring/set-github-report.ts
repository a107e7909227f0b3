import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { githubReportOnWire } from './on-wire.ts'

export const setGithubReport = implement(operations.setGithubReport)(async (input, context) => {
  const { caller, deps } = context
  const { githubReports } = deps.stores
  const project = await getProject(context, input.project_id)
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  if (!input.sets_status && !input.comments) {
    await githubReports.remove(caller, place)
    return githubReportOnWire(project, undefined, deps.githubApiUrl)
  }
  const before = await githubReports.find(caller, project.id)
  const sealedToken =
    input.token === undefined ? before?.sealedToken : await deps.sealing.seal(input.token, project)
  if (sealedToken === undefined) {
    throw new Problem('invalid_input', 'There is no token yet to report with.', {
      errors: [{ field: 'token', message: 'Give a token of GitHub for the repository.' }],
    })
  }
  const report = { ...place, sealedToken, setsStatus: input.sets_status, comments: input.comments }
  await githubReports.set(caller, report)
  return githubReportOnWire(project, report, deps.githubApiUrl)
})
