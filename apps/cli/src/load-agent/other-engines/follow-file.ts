import { open, type FileHandle } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

const everyMs = 200
const pieceBytes = 262_144

/**
 * Reads a file while it is written, from its beginning, whenever it comes into being.
 * @param hasEnded Whether nobody writes to it any more: then what is left is read
 * @throws RangeError when it gets longer than `bytesMax`
 */
export async function* followFile(
  path: string,
  hasEnded: () => boolean,
  bytesMax: number,
): AsyncGenerator<Uint8Array> {
  let file: FileHandle | undefined
  let at = 0
  try {
    for (;;) {
      // Asked first: what is written before its end is read after it.
      const isLast = hasEnded()
      // oxlint-disable no-await-in-loop -- one piece after the other
      file ??= await openIfThere(path)
      for (;;) {
        const piece = Buffer.allocUnsafe(pieceBytes)
        const bytesRead = file === undefined ? 0 : (await file.read(piece, 0, pieceBytes, at)).bytesRead
        if (bytesRead === 0) break
        at += bytesRead
        if (at > bytesMax) throw new RangeError(`Its results are more than ${bytesMax} bytes.`)
        yield piece.subarray(0, bytesRead)
      }
      if (isLast) return
      await pause(everyMs)
      // oxlint-enable no-await-in-loop
    }
  } finally {
    await file?.close()
  }
}

async function openIfThere(path: string): Promise<FileHandle | undefined> {
  try {
    return await open(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
