import { Problem } from '@flamegate/contract'
import type { Profile as CallTree } from '@flamegate/profiles'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { openRecord } from './decoded.ts'

/** About a second of work, which nobody else's call can be answered in. */
const nodesMax = 4_000_000

/**
 * Several profiles with their call trees, each once.
 * @throws Problem `profile_not_found`, `not_ready`, `processing_failed`, and `too_large` for more than is asked in one call
 */
export async function openProfiles(
  context: CallContext,
  ids: readonly string[],
): Promise<{ record: Profile; tree: CallTree }[]> {
  const opened: { record: Profile; tree: CallTree }[] = []
  let nodes = 0
  for (const id of new Set(ids)) {
    // One after the other: a hundred at once would be a hundred reads of the database at once.
    // oxlint-disable-next-line no-await-in-loop
    const record = await getProfile(context, id)
    nodes += record.nodeCount
    if (nodes > nodesMax && opened.length > 0) {
      throw new Problem(
        'too_large',
        `Together these profiles have more than ${nodesMax.toLocaleString('en')} call-tree nodes. Give fewer of them.`,
      )
    }
    // oxlint-disable-next-line no-await-in-loop
    opened.push(await openRecord(context, record))
  }
  return opened
}
