import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { exportWorkspace, type Database } from '@flamegate/db'
import type { ObjectStorage, WorkspaceArchives } from '@flamegate/operations/ports'

const tellEveryBytes = 16 * 1_048_576

class GivenUp extends Error {}

/** Makes archives in the temporary folder. */
export function workspaceArchives(parts: {
  database: Database
  storage: Pick<ObjectStorage, 'find' | 'open'>
}): WorkspaceArchives {
  return async (workspaceId, onBytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'flamegate-workspace-'))
    const path = join(folder, 'archive')
    const remove = () => rm(folder, { recursive: true, force: true })
    const md5 = createHash('md5')
    const sha256 = createHash('sha256')
    let sizeBytes = 0
    try {
      await exportWorkspace(parts, workspaceId, (archive) =>
        pipeline(
          telling(archive, onBytes),
          createGzip(),
          async function* (pieces: AsyncIterable<Buffer>) {
            for await (const piece of pieces) {
              md5.update(piece)
              sha256.update(piece)
              sizeBytes += piece.length
              yield piece
            }
          },
          createWriteStream(path, { mode: 0o600 }),
        ),
      )
    } catch (error) {
      await remove()
      if (error instanceof GivenUp) return undefined
      throw error
    }
    return {
      sizeBytes,
      md5: md5.digest('base64'),
      sha256: sha256.digest('hex'),
      open: () => createReadStream(path),
      remove,
    }
  }
}

async function* telling(
  archive: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => Promise<boolean>,
): AsyncGenerator<Uint8Array> {
  let bytes = 0
  let toldAt = 0
  for await (const piece of archive) {
    bytes += piece.length
    if (bytes - toldAt > tellEveryBytes) {
      toldAt = bytes
      if (!(await onBytes(bytes))) throw new GivenUp()
    }
    yield piece
  }
}
