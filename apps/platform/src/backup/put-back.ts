import { createReadStream } from 'node:fs'
import type { ObjectStorage } from '@flamegate/operations/ports'
import type { ObjectEntry } from './backup-files.ts'
import { hashed } from './hashed.ts'

/** Stores a file of a backup. What is there under its key stays only when it is the same: a disk may have damaged it. */
export async function putBack(
  storage: Pick<ObjectStorage, 'open' | 'remove' | 'receive'>,
  { key, sizeBytes, sha256, md5 }: ObjectEntry,
  path: string,
): Promise<void> {
  const there = await storage.open(key)
  if (there !== undefined) {
    if ((await sha256Of(there)) === sha256) return
    await storage.remove(key)
  }
  await storage.receive(key, createReadStream(path), {
    sizeBytes,
    md5,
    contentType: 'application/octet-stream',
  })
}

async function sha256Of(body: AsyncIterable<Uint8Array>): Promise<string> {
  const passing = hashed(body)
  // oxlint-disable-next-line no-unused-vars -- only what comes by counts
  for await (const _ of passing.body);
  return passing.sums().sha256
}
