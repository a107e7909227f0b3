import { createHash } from 'node:crypto'
import type { ObjectEntry } from './backup-files.ts'

/** Passes bytes on, and tells afterwards what they were. */
export function hashed(body: AsyncIterable<Uint8Array>): {
  body: AsyncIterable<Uint8Array>
  sums: () => Omit<ObjectEntry, 'key'>
} {
  const [sha256, md5] = [createHash('sha256'), createHash('md5')]
  let sizeBytes = 0
  async function* passing() {
    for await (const piece of body) {
      sha256.update(piece)
      md5.update(piece)
      sizeBytes += piece.byteLength
      yield piece
    }
  }
  return {
    body: passing(),
    sums: () => ({ sizeBytes, sha256: sha256.digest('hex'), md5: md5.digest('base64') }),
  }
}
