import { operations } from '@flamegate/contract'
import { changedFields } from '@flamegate/loadtest'
import { implement } from '../implement.ts'
import { getAnyDesign } from './reaching.ts'
import { listVersions } from './versions.ts'

export const listDesignObjectVersions = implement(operations.listDesignObjectVersions)(async (
  input,
  context,
) => {
  const object = await getAnyDesign(context, input.object_id, { evenDeleted: true })
  return {
    object_id: object.id,
    project_id: object.projectId,
    kind: object.kind,
    ...(await listVersions(context, object.kind, object, input, changedFields)),
  }
})
