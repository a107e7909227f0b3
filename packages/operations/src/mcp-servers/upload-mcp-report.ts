import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { keepUploaded, targetOfReport } from './keep-session.ts'
import { mcpSessionOnWire } from './on-wire.ts'
import { getMcpSession, getMcpTarget } from './reaching.ts'
import { readMcpReport, reportedOf } from './read-report.ts'

export const uploadMcpReport = implement(operations.uploadMcpReport)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const report = readMcpReport(input.report)
  // Before a target is made for it: what is refused leaves nothing behind.
  const reported = await reportedOf(context, project.id, report, input.result)
  const place = { workspaceId: project.workspaceId, projectId: project.id }
  const { target, isNew } =
    input.mcp_target_id === undefined
      ? await targetOfReport(context, place, report, input.target)
      : { target: await getMcpTarget(context, input.mcp_target_id), isNew: false }
  if (target.projectId !== project.id) {
    throw new Problem('mcp_target_not_found', 'That MCP target belongs to another project.')
  }
  const id = await keepUploaded(context, target, {
    command: report.command,
    reported,
    label: input.label ?? report.target.label,
    retentionHours: input.retention_hours,
  })
  return { mcp_session: mcpSessionOnWire(await getMcpSession(context, id)), is_new_target: isNew }
})
