import { newId, operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { orderDueSessions } from '../mcp-servers/order-due-sessions.ts'
import { getProject } from '../targets.ts'

export const connectCollector = implement(operations.connectCollector)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const collector = await context.deps.stores.collectors.connect(context.caller, {
    id: newId('collector'),
    workspaceId: project.workspaceId,
    projectId: project.id,
    name: input.name,
    version: input.version,
    captures: input.captures.map(({ seconds_max: secondsMax, ...rest }) => ({ ...rest, secondsMax })),
    mcpServers: input.mcp_servers.map(
      ({ seconds_max: secondsMax, rps_max: rpsMax, concurrent_max: concurrentMax, ...rest }) => ({
        ...rest,
        secondsMax,
        rpsMax,
        concurrentMax,
      }),
    ),
  })
  if (collector === undefined) {
    throw new Problem(
      'conflict',
      'This project has as many collectors as it can have. Give this one the name of one that is gone, or wait a week until that is forgotten.',
      { errors: [{ field: 'name', message: 'One too many.' }] },
    )
  }
  await orderDueSessions(context, project, collector)
  return { project_id: project.id, collector_id: collector.id }
})
