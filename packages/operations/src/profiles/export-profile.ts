import { newId, operations, Problem } from '@flamegate/contract'
import { implement, type CallContext } from '../implement.ts'
import type { PresignedRequest, Profile } from '../ports/index.ts'
import { getProfile } from '../targets.ts'
import { presignedOnWire } from '../wire.ts'
import { cannotFilter, mustBeReady, selectedSamples } from './decoded.ts'

/** How long a link may be used, and how long its file is kept: a download that began in time goes on for a while. */
const linkSeconds = 300
const keptMinutes = 60
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
  const { bytes, contentType, extension, notes } = outcome.file
  const fileName = `${withoutExtension(record.name)}${extension}`
  const download = await store(context, record, { bytes, contentType, fileName })
  const isText = format !== 'pprof'
  return {
    profile_id: record.id,
    format,
    file_name: fileName,
    content_type: contentType,
    size_bytes: bytes.length,
    content: isText && bytes.length <= longestInline ? new TextDecoder().decode(bytes) : null,
    download: presignedOnWire(download, fileName),
    notes,
  }
})

/** Puts a file where it can be downloaded for a while. */
async function store(
  { deps, requestId }: CallContext,
  { workspaceId }: Profile,
  { bytes, contentType, fileName }: { bytes: Uint8Array; contentType: string; fileName: string },
): Promise<PresignedRequest> {
  const fileId = newId('file')
  const key = `${workspaceId}/${fileId}`
  // First of all, so that nothing is stored that is not removed again.
  await deps.queue.add(
    'remove_export',
    { taskId: fileId, workspaceId, requestId },
    { delayMs: keptMinutes * 60_000 },
  )
  await deps.storage.write(key, bytes, { contentType })
  return deps.storage.presignDownload(key, { fileName, contentType, expiresInS: linkSeconds })
}

const extensions =
  /(\.(pb|pprof|speedscope|collapsed|folded|cpuprofile|heapprofile|heapsnapshot|jfr|pstats|prof|json|txt|log|out|gz))+$/i

/** `cpu.pb.gz` is `cpu`, and `v1.2` stays. */
function withoutExtension(name: string): string {
  return name.replace(extensions, '') || name
}
