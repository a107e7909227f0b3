import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openStorage } from '@flamegate/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { putBack } from './put-back.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-put-back-'))
})
afterAll(() => rm(folder, { recursive: true }))

const bytes = Buffer.from('main;route 30\n')
const entry = {
  key: 'ws_1/file_1',
  sizeBytes: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  md5: createHash('md5').update(bytes).digest('base64'),
}

test.each([
  ['nothing is there', undefined],
  ['another file of the same size is there', 'main;route 31\n'],
  ['half of it is there', 'main;'],
  ['it is there already', bytes.toString()],
])('a file is what it was in the backup, also where %s', async (_, there) => {
  const dir = await mkdtemp(join(folder, 'storage-'))
  const links = { baseUrl: 'http://localhost', signingKey: 'x'.repeat(32) }
  const settings = { S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: false, FLAMEGATE_STORAGE_DIR: dir }
  const { storage } = await openStorage(settings, links)
  if (there !== undefined) {
    await storage.write(entry.key, bytes, { contentType: 'text/plain' })
    await writeFile(join(dir, 'objects', entry.key), there)
  }
  const path = join(folder, 'in-backup')
  await writeFile(path, bytes)
  await putBack(storage, entry, path)
  expect(Buffer.from(await storage.read(entry.key, { maxBytes: 100 })).toString()).toBe(bytes.toString())
})
