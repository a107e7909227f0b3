import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { mustBeReady } from './selected-samples.ts'

/** Seconds of work, and half a gigabyte while it is done. */
const nodesMax = 4_000_000

/**
 * Several profiles, each once, that one question can be about.
 * @throws Problem `profile_not_found`, `not_ready`, `processing_failed`, and `too_large` for more than is asked in one call
 */
export async function openProfiles(context: CallContext, ids: readonly string[]): Promise<Profile[]> {
  const records: Profile[] = []
  let nodes = 0
  for (const id of new Set(ids)) {
    // One after the other: a hundred at once would be a hundred reads of the database at once.
    // oxlint-disable-next-line no-await-in-loop
    const record = await getProfile(context, id)
    mustBeReady(record)
    nodes += record.nodeCount
    if (nodes > nodesMax && records.length > 0) {
      throw new Problem(
        'too_large',
        `Together these profiles have more than ${nodesMax.toLocaleString('en')} call-tree nodes. Give fewer of them.`,
      )
    }
    records.push(record)
  }
  return records
}
