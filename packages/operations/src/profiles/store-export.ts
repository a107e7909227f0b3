import { newId } from '@flamegate/contract'
import type { ExportedFile } from '@flamegate/profiles'
import type { CallContext } from '../implement.ts'
import { presignedOnWire } from '../wire.ts'

/** How long a link may be used, and how long its file is kept: a download that began in time goes on for a while. */
const linkSeconds = 300
const keptMinutes = 60

/** Puts a file where it can be downloaded for a while, under a name without its extension. */
export async function storeExport(
  { deps, requestId }: CallContext,
  workspaceId: string,
  { bytes, contentType, extension, notes }: ExportedFile,
  name: string,
) {
  const fileId = newId('file')
  const key = `${workspaceId}/${fileId}`
  const fileName = `${name}${extension}`
  // First of all, so that nothing is stored that is not removed again.
  await deps.queue.add(
    'remove_export',
    { taskId: fileId, workspaceId, requestId },
    { delayMs: keptMinutes * 60_000 },
  )
  await deps.storage.write(key, bytes, { contentType })
  const download = await deps.storage.presignDownload(key, {
    fileName,
    contentType,
    expiresInS: linkSeconds,
  })
  return {
    file_name: fileName,
    content_type: contentType,
    size_bytes: bytes.length,
    download: presignedOnWire(download, fileName),
    notes,
  }
}

const extensions =
  /(\.(pb|pprof|speedscope|collapsed|folded|cpuprofile|heapprofile|heapsnapshot|jfr|pstats|prof|json|txt|log|out|gz))+$/i

/** `cpu.pb.gz` is `cpu`, and `v1.2` stays. */
export function withoutExtension(name: string): string {
  return name.replace(extensions, '') || name
}
