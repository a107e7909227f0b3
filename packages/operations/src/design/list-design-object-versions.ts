import { operations } from '@flamegate/contract'
import { changedFields, parseDocument } from '@flamegate/loadtest'
import { implement, type CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'
import { documentOf } from './get-design-object.ts'
import { getAnyDesign, type SmallKind } from './reaching.ts'

const changesTold = 200

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
  const changes = input.compare === undefined ? null : await compared(context, object, input.compare)
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
    changes: changes?.slice(0, changesTold) ?? null,
    change_count: changes?.length ?? null,
  }
})

/** How two versions differ, which are written as `2..5`. */
async function compared(
  context: CallContext,
  object: DesignObject & { kind: SmallKind },
  versions: string,
): Promise<ReturnType<typeof changedFields>> {
  const [before, after] = await Promise.all(
    versions
      .split('..')
      .map(async (version) => parseDocument(object.kind, await documentOf(context, object, Number(version)))),
  )
  return changedFields(before, after)
}
