import { Problem } from '@flamegate/contract'
import {
  CannotFilterError,
  decodeDetail,
  decodeProfile,
  filterProfile,
  withOriginRules,
  type Profile as DecodedProfile,
  type ProfileDetail,
  type SampleFilter,
} from '@flamegate/profiles'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { DecodedCache } from './decoded-cache.ts'

/** About 100 bytes for a node of a tree, and 24 for a row of a detail. */
const trees = new DecodedCache<DecodedProfile>(2_000_000, ({ nodes }) => nodes.parents.length)
const details = new DecodedCache<ProfileDetail>(
  8_000_000,
  ({ timeline, labelled, lines }) =>
    (timeline?.nodes.length ?? 0) + (labelled?.nodes.length ?? 0) + (lines?.nodes.length ?? 0),
)

/** Which samples a question is about, as the input of an operation says it. */
export interface Selection {
  sample_type?: string | undefined
  labels?: string[] | undefined
  from_ms?: number | undefined
  to_ms?: number | undefined
}

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
  mustBeReady(record)
  const tree = await trees.get(record.id, async () => {
    const bytes = await context.deps.stores.profiles.readPart(context.caller, record.id, 'tree')
    return bytes && decodeProfile(bytes)
  })
  if (tree === undefined) throw new Problem('profile_not_found', 'This profile was deleted just now.')
  return { record, tree: withOriginRules(tree, record.source?.originRules) }
}

/** @throws Problem `not_ready`, `processing_failed` when there is nothing to look into */
export function mustBeReady(record: Profile): void {
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
}

/** Labels, times and lines of a profile that was opened; undefined when its format tells none of them. */
export async function openDetail(context: CallContext, record: Profile): Promise<ProfileDetail | undefined> {
  return details.get(record.id, async () => {
    const bytes = await context.deps.stores.profiles.readPart(context.caller, record.id, 'detail')
    return bytes && decodeDetail(bytes)
  })
}

/**
 * A profile with only the samples that are asked for, the index of the sample type in it, and which samples these are.
 * @throws Problem `invalid_input` when there is no such sample type, or the format does not tell labels or times
 */
export async function openSelection(
  context: CallContext,
  record: Profile,
  selection: Selection,
): Promise<{ record: Profile; tree: DecodedProfile; sampleTypeIndex: number; filter?: SampleFilter }> {
  const { tree } = await openRecord(context, record)
  const { sampleTypeIndex: index, filter } = selectedSamples(tree, selection)
  if (filter === undefined) return { record, tree, sampleTypeIndex: index }
  const detail = await openDetail(context, record)
  try {
    const filtered = filterProfile(tree, detail, filter)
    // By time, one sample type is left.
    const left = filtered.sampleTypes.length
    return { record, tree: filtered, sampleTypeIndex: Math.min(index, left - 1), filter }
  } catch (error) {
    if (!(error instanceof CannotFilterError)) throw error
    throw cannotFilter(selection, error.message)
  }
}

/**
 * The index of the sample type, and which samples to keep; no filter when all are.
 * @throws Problem `invalid_input`
 */
export function selectedSamples(
  profile: Pick<DecodedProfile, 'sampleTypes' | 'defaultSampleTypeIndex'>,
  selection: Selection,
): { sampleTypeIndex: number; filter?: SampleFilter } {
  const index = sampleTypeIndex(profile, selection.sample_type)
  const { labels = [], from_ms: fromMs, to_ms: toMs } = selection
  const byTime = isByTime(selection)
  if (labels.length === 0 && !byTime) return { sampleTypeIndex: index }
  if (byTime && index !== profile.defaultSampleTypeIndex) {
    const known = profile.sampleTypes[profile.defaultSampleTypeIndex]?.type
    throw invalid('sample_type', `Only ${known} is known by time.`)
  }
  const filter = {
    labels: new Map(labels.map((label) => splitLabel(label))),
    ...(fromMs === undefined ? {} : { fromMs }),
    ...(toMs === undefined ? {} : { toMs }),
  }
  return { sampleTypeIndex: index, filter }
}

/** `reason`: why, as `CannotFilterError` says it. */
export function cannotFilter(selection: Selection, reason: string): Problem {
  return invalid(isByTime(selection) ? 'from_ms' : 'labels', `This profile cannot be filtered so: ${reason}.`)
}

function isByTime(selection: Selection): boolean {
  return selection.from_ms !== undefined || selection.to_ms !== undefined
}

/** Index of the sample type by name, or the default. @throws Problem `invalid_input` */
export function sampleTypeIndex(
  tree: Pick<DecodedProfile, 'sampleTypes' | 'defaultSampleTypeIndex'>,
  name: string | undefined,
): number {
  if (name === undefined) return tree.defaultSampleTypeIndex
  const index = tree.sampleTypes.findIndex((sampleType) => sampleType.type === name)
  if (index >= 0) return index
  const names = tree.sampleTypes.map((sampleType) => sampleType.type).join(', ')
  throw new Problem('invalid_input', `This profile has no sample type ${name}. It has ${names}.`, {
    errors: [{ field: 'sample_type', message: `One of ${names}.` }],
  })
}

function splitLabel(label: string): [name: string, value: string] {
  const equals = label.indexOf('=')
  return [label.slice(0, equals), label.slice(equals + 1)]
}

function invalid(field: string, message: string): Problem {
  return new Problem('invalid_input', message, { errors: [{ field, message }] })
}
