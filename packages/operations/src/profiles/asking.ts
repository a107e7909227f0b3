import { Problem } from '@flamegate/contract'
import {
  CannotFilterError,
  questionParts,
  type PartOfProfile,
  type QuestionAnswer,
  type QuestionName,
  type QuestionParams,
} from '@flamegate/profiles'
import type { CallContext } from '../implement.ts'
import type { Profile } from '../ports/index.ts'
import { cannotFilter, mustBeReady, selectedSamples, type Selection } from './selected-samples.ts'

/**
 * Asks about a profile that the caller was shown, of the samples that are selected. Whether the caller may see it is asked
 * anew every time; the profile itself never changes, so that it is decoded once for questions that come in a row.
 * @throws Problem `not_ready`, `processing_failed`; `invalid_input` when there is no such sample type, or the format does not
 * tell labels or times; and whatever the question throws
 */
export async function ask<Name extends QuestionName>(
  context: CallContext,
  record: Profile,
  selection: Selection,
  name: Name,
  params: QuestionParams<Name>,
): Promise<QuestionAnswer<Name>> {
  mustBeReady(record)
  const samples = selectedSamples(record, selection)
  try {
    return await answerOf(context, [{ record, ...samples }], name, params)
  } catch (error) {
    if (!(error instanceof CannotFilterError)) throw error
    throw cannotFilter(selection, error.message)
  }
}

/** The same about several profiles, of all their samples. */
export async function askSeveral<Name extends QuestionName>(
  context: CallContext,
  records: readonly Profile[],
  name: Name,
  params: QuestionParams<Name>,
): Promise<QuestionAnswer<Name>> {
  for (const record of records) mustBeReady(record)
  return answerOf(
    context,
    records.map((record) => ({ record })),
    name,
    params,
  )
}

type Asked = { record: Profile } & Partial<ReturnType<typeof selectedSamples>>

function answerOf<Name extends QuestionName>(
  { caller, deps }: CallContext,
  asked: readonly Asked[],
  name: Name,
  params: QuestionParams<Name>,
): Promise<QuestionAnswer<Name>> {
  const asksDetail = questionParts(name).includes('detail')
  const read = async ({ id, part }: PartOfProfile) => {
    const bytes = await deps.stores.profiles.readPart(caller, id, part)
    if (bytes === undefined && part !== 'detail')
      throw new Problem('profile_not_found', 'This profile was deleted just now.')
    return bytes
  }
  return deps.profileAnalysis.ask({
    name,
    subjects: asked.map(({ record, ...samples }) => ({
      id: record.id,
      originRules: record.source?.originRules,
      ...samples,
    })),
    params,
    size: asked.reduce(
      (sum, { record, filter }) => sum + sizeOf(record, filter !== undefined || asksDetail),
      0,
    ),
    read,
    signal: caller.signal,
  })
}

/** How many objects there are in a heap snapshot its call tree does not tell; a detail has about as many rows as there are samples. */
function sizeOf({ format, nodeCount, sampleCount }: Profile, withDetail: boolean): number {
  if (format === 'heapsnapshot') return Infinity
  return nodeCount + (withDetail ? sampleCount : 0)
}
