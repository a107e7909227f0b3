import { operations } from '@flamegate/contract'
import { pageOf } from '../cursor.ts'
import { implement } from '../implement.ts'
import { getProject } from '../targets.ts'
import { profileOnWire } from '../wire.ts'

export const listProfiles = implement(operations.listProfiles)(async (input, context) => {
  const project = await getProject(context, input.project_id)
  const filter = {
    type: input.type,
    runId: input.run_id,
    benchmarkId: input.benchmark_id,
    status: input.status,
    service: input.service,
    label: input.label,
    tag: input.tag,
    since: isoTime(input.since),
    until: isoTime(input.until),
  }
  const { rows, nextCursor } = await pageOf('profiles', input, { project: project.id, ...filter }, (page) =>
    context.deps.stores.profiles.list(context.caller, project.id, page, filter),
  )
  return { project_id: project.id, profiles: rows.map(profileOnWire), next_cursor: nextCursor }
})

function isoTime(text: string | undefined): string | undefined {
  return text === undefined ? undefined : new Date(text).toISOString()
}
