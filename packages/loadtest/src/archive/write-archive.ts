import { zipSync, type Zippable } from 'fflate'
import { type Archive, archiveFormat, archiveVersion, filesFolder, manifestName } from './archive.ts'

/** The same content is the same bytes: no time of day is in them. The 2nd, so that it is 1980 in every time zone. */
const writtenAt = '1980-01-02T00:00:00.000Z'

/** Files up to so many bytes are compressed. */
const packedBytesMax = 1_000_000

/** A ZIP file of an archive, for `readArchive`. */
export function writeArchive(archive: Archive): Uint8Array {
  const manifest = {
    format: archiveFormat,
    version: archiveVersion,
    files: archive.files.map(({ path, contentType }) => ({ path, content_type: contentType })),
  }
  const entries: Zippable = { [manifestName]: json(manifest) }
  const folders = {
    'virtual-users': archive.virtualUsers,
    'http-servers': archive.servers,
    variables: archive.variables,
    'correlation-rules': archive.rules,
  }
  for (const [folder, documents] of Object.entries(folders)) {
    for (const { id, document } of documents) entries[`${folder}/${id}.json`] = json(document)
  }
  for (const { path, bytes } of archive.files) {
    // Large ones as they are: somebody waits, and everybody else behind it.
    entries[`${filesFolder}${path}`] = [bytes, { level: bytes.length > packedBytesMax ? 0 : 6 }]
  }
  return zipSync(entries, { mtime: writtenAt })
}

function json(value: unknown): Uint8Array {
  return Buffer.from(`${JSON.stringify(value, null, 2)}\n`)
}
