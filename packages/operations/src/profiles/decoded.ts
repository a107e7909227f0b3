import { Problem } from '@flamegate/contract'
import { decodeProfile, type Profile as DecodedProfile } from '@flamegate/profiles'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'

/** Decoded trees are kept up to this many nodes in all (about 100 bytes each); the least used go first. */
const cachedNodesMax = 2_000_000
const cache = new Map<string, DecodedProfile>()

/**
 * A profile with its call tree. Whether the caller may see it is asked anew every time; the tree itself never
 * changes, so that it is decoded once for the questions that usually come in a row.
 */
export async function openProfile(
  context: CallContext,
  id: string,
): Promise<{ record: Profile; tree: DecodedProfile }> {
  return openRecord(context, await getProfile(context, id))
}

/** As `openProfile`, for a profile the caller was shown already. */
export async function openRecord(
  context: CallContext,
  record: Profile,
): Promise<{ record: Profile; tree: DecodedProfile }> {
  if (record.status === 'PENDING') {
    throw new Problem(
      'not_ready',
      'This profile was not uploaded or is still being read. Try again in a second.',
    )
  }
  if (record.status === 'FAILED') {
    throw new Problem(
      'processing_failed',
      `This profile could not be read: ${record.problem?.detail ?? 'its file is broken'}.`,
    )
  }
  const known = cache.get(record.id)
  if (known !== undefined) {
    cache.delete(record.id)
    cache.set(record.id, known)
    return { record, tree: known }
  }
  const bytes = await context.deps.stores.profiles.readTree(context.caller, record.id)
  if (bytes === undefined) throw new Problem('profile_not_found', 'This profile was deleted just now.')
  const tree = decodeProfile(bytes)
  cache.set(record.id, tree)
  evict()
  return { record, tree }
}

function evict(): void {
  let nodes = 0
  for (const tree of cache.values()) nodes += tree.nodes.parents.length
  for (const [id, tree] of cache) {
    if (nodes <= cachedNodesMax || cache.size === 1) return
    cache.delete(id)
    nodes -= tree.nodes.parents.length
  }
}

/** Index of the sample type by name, or the default. @throws Problem `invalid_input` */
export function sampleTypeIndex(tree: DecodedProfile, name: string | undefined): number {
  if (name === undefined) return tree.defaultSampleTypeIndex
  const index = tree.sampleTypes.findIndex((sampleType) => sampleType.type === name)
  if (index >= 0) return index
  const names = tree.sampleTypes.map((sampleType) => sampleType.type).join(', ')
  throw new Problem('invalid_input', `This profile has no sample type ${name}. It has ${names}.`, {
    errors: [{ field: 'sample_type', message: `One of ${names}.` }],
  })
}
