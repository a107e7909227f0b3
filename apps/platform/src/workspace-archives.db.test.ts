import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@flamegate/contract'
import { plainFile, prepareProject } from '@flamegate/db/testing'
import { ConfigError } from '@flamegate/runtime'
import { openStorage } from '@flamegate/storage'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readWorkspaceArchive, writeWorkspaceArchive } from './workspace-archives.ts'

const { at, ada, place, asAda } = prepareProject({ access: 'admin' })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-archives-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function installation() {
  const links = { baseUrl: 'http://localhost', signingKey: 'x'.repeat(32) }
  const settings = {
    S3_REGION: 'us-east-1',
    S3_FORCE_PATH_STYLE: false,
    FLAMEGATE_STORAGE_DIR: join(folder, 'storage'),
  }
  return { database: at.database, storage: (await openStorage(settings, links)).storage }
}
const say = () => undefined
const reading = async (from: string) =>
  readWorkspaceArchive(await installation(), from, 'ada@example.com', say)

test.each(['there/acme.tar.gz', 'there'])(
  'an archive that cannot be made is told in words: %s',
  async (name) => {
    const path = join(folder, name)
    if (name === 'there') await writeFile(path, 'of somebody')
    const writing = writeWorkspaceArchive(await installation(), ada.workspaceId, path, say)
    await expect(writing).rejects.toThrow(ConfigError)
    await expect(writing).rejects.toThrow(`${path} cannot be made: `)
  },
)

test('of an export that came to no end no half archive is left', async () => {
  const id = newId('file')
  const storageKey = `${ada.workspaceId}/${id}`
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id,
    storageKey,
  })
  await at.stores.files.markReady(asAda(), id, { sizeBytes: 5, sha256: '' })
  const { database, storage } = await installation()
  await storage.write(storageKey, Buffer.from('12345'), { contentType: 'application/json' })
  const away = { ...storage, open: async () => Promise.reject(new Error('The bucket is away.')) }
  const path = join(folder, 'half.tar.gz')
  const writing = writeWorkspaceArchive({ database, storage: away }, ada.workspaceId, path, say)
  await expect(writing).rejects.toThrow('The bucket is away.')
  expect(await readdir(folder)).not.toContain('half.tar.gz')
})

test('what is no archive, and one that was cut off, is told in words', async () => {
  const path = join(folder, 'acme.tar.gz')
  await writeFile(path, 'hello')
  for (const from of [path, folder, join(folder, 'nowhere')]) {
    await expect(reading(from)).rejects.toThrow(ConfigError)
    await expect(reading(from)).rejects.toThrow(`${from} cannot be read as an archive of a workspace: `)
  }
})
