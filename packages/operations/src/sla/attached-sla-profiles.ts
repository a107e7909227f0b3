import { parseDocument } from '@flamegate/loadtest'
import type { Reading } from '../implement.ts'
import type { BenchPlan } from '../ports/index.ts'

/** SLA profiles of a project that are attached to one of these virtual users, or to an action of one: what a run must keep to. */
export async function attachedSlaProfiles(
  { caller, deps }: Reading,
  projectId: string,
  virtualUsers: { has(id: string): boolean },
): Promise<NonNullable<BenchPlan['sla_profiles']>> {
  const objects = await deps.stores.designs.listDocuments(caller, projectId, 'sla_profile')
  return objects.flatMap(({ id, document }) => {
    const { attachments } = parseDocument('sla_profile', document)
    return attachments.some((each) => virtualUsers.has(each.virtual_user_id)) ? [{ id, document }] : []
  })
}
