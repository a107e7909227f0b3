import { operations, Problem } from '@flamegate/contract'
import { implement } from '../implement.ts'
import { getProfile } from '../targets.ts'
import { cannotFilter, mustBeReady, selectedSamples } from './selected-samples.ts'
import { storeExport, withoutExtension } from './store-export.ts'

/** About 4,000 tokens. */
const longestInline = 12_000

export const exportProfile = implement(operations.exportProfile)(async (input, context) => {
  const { caller, deps } = context
  const record = await getProfile(context, input.profile_id)
  mustBeReady(record)
  const selected = selectedSamples(record, input)
  const [tree, detail] = await Promise.all(
    (['tree', 'detail'] as const).map((part) => deps.stores.profiles.readPart(caller, record.id, part)),
  )
  if (tree === undefined) throw new Problem('profile_not_found', 'This profile was deleted just now.')
  const { format } = input
  const outcome = await deps.profileWriter.write({
    parts: { tree, ...(detail === undefined ? {} : { detail }) },
    format,
    name: record.name,
    widthPx: input.width_px,
    originRules: record.source?.originRules,
    ...selected,
  })
  if ('refused' in outcome) {
    if (outcome.refused === 'cannot_filter') throw cannotFilter(input, outcome.reason)
    throw new Problem(
      'too_large',
      `As ${format} this profile is too large: ${outcome.reason}. Ask for a part of its samples, or for another format.`,
    )
  }
  const { bytes } = outcome.file
  const isText = format !== 'pprof' && format !== 'png'
  return {
    profile_id: record.id,
    format,
    ...(await storeExport(context, record.workspaceId, outcome.file, withoutExtension(record.name))),
    content: isText && bytes.length <= longestInline ? new TextDecoder().decode(bytes) : null,
  }
})
