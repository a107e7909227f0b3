import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openStorage } from './open-storage.ts'

const links = { baseUrl: 'http://localhost', signingKey: 'k'.repeat(32) }
const settings = { S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: false }

test('a folder in which nothing can be stored is told by its setting, with what to do', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'open-storage-test-'))
  const file = join(folder, 'file')
  await writeFile(file, '')
  await expect(
    openStorage({ ...settings, FLAMEGATE_STORAGE_DIR: join(file, 'objects') }, links),
  ).rejects.toMatchObject({
    isForOperator: true,
    message: expect.stringMatching(
      /^A setting is not right:\n {2}FLAMEGATE_STORAGE_DIR is ".*objects"\. Nothing can be stored there \(ENOTDIR.*\)\. Set it to a folder that this process may write to\.$/,
    ),
  })
  await rm(folder, { recursive: true })
})

test.each([
  [{}, 'Set S3_BUCKET, or FLAMEGATE_STORAGE_DIR for a folder.'],
  [{ S3_BUCKET: 'uploads' }, 'S3_BUCKET needs S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY.'],
])('settings that say no place are told: %j', async (some, words) => {
  await expect(openStorage({ ...settings, ...some }, links)).rejects.toThrow(words)
})
