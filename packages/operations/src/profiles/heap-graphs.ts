import { Problem } from '@flamegate/contract'
import { decodeHeapGraph, type HeapGraph } from '@flamegate/profiles'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { mustBeReady } from './decoded.ts'
import { DecodedCache } from './decoded-cache.ts'

/** In bytes: about 50 for an object, and 10 for a reference. */
const graphs = new DecodedCache<HeapGraph>(
  256 * 1024 * 1024,
  ({ nodes, edges }) => nodes.ids.length * 50 + edges.types.length * 10,
)

/**
 * A heap snapshot with its objects, decoded once for the questions that usually come in a row.
 * @throws Problem `invalid_input` when the profile is something else
 */
export async function openHeapGraph(
  context: CallContext,
  id: string,
  field: string,
): Promise<{ record: Profile; graph: HeapGraph }> {
  const record = await getProfile(context, id)
  mustBeReady(record)
  if (record.format !== 'heapsnapshot') {
    throw new Problem(
      'invalid_input',
      `This profile is no V8 heap snapshot: it was read as ${record.format}.`,
      { errors: [{ field, message: 'Must be a heap snapshot.' }] },
    )
  }
  const graph = await graphs.get(record.id, async () => {
    const bytes = await context.deps.stores.profiles.readPart(context.caller, record.id, 'heap_graph')
    return bytes && decodeHeapGraph(bytes)
  })
  if (graph === undefined) throw new Problem('profile_not_found', 'This profile was deleted just now.')
  return { record, graph }
}
