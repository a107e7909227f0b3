import { operations } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getAnyDesign } from './reaching.ts'

export const listDesignObjectVersions = implement(operations.listDesignObjectVersions)(async (
  input,
  context,
) => {
  const object = await getAnyDesign(context, input.object_id, { evenDeleted: true })
  const found = await context.deps.stores.designs.listVersions(context.caller, object.id, {
    limit: input.limit,
    before: input.before_version,
  })
  const versions = found.slice(0, input.limit)
  return {
    object_id: object.id,
    project_id: object.projectId,
    kind: object.kind,
    versions: versions.map((version) => ({
      version: version.version,
      label: version.label,
      change: version.change,
      author_email: version.authorEmail,
      author_client: version.authorClient,
      created_at: version.createdAt.toISOString(),
    })),
    next_before: found.length > input.limit ? (versions.at(-1)?.version ?? null) : null,
  }
})
