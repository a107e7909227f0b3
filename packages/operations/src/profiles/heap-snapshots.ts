import { Problem } from '@flamegate/contract'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { mustBeReady } from './selected-samples.ts'

/**
 * A profile that is a heap snapshot, with its objects.
 * @throws Problem `invalid_input` when it is something else
 */
export async function getHeapSnapshot(context: CallContext, id: string, field: string): Promise<Profile> {
  const record = await getProfile(context, id)
  mustBeReady(record)
  if (record.format === 'heapsnapshot') return record
  throw new Problem(
    'invalid_input',
    `This profile is no V8 heap snapshot: it was read as ${record.format}.`,
    { errors: [{ field, message: 'Must be a heap snapshot.' }] },
  )
}
