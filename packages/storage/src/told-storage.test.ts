import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { openFolderStorage } from './folder-storage.ts'
import { toldStorage, type EndedRequest } from './told-storage.ts'

const dir = await mkdtemp(join(tmpdir(), 'flamegate-told-'))
afterAll(() => rm(dir, { recursive: true, force: true }))

test('every request to the storage is told of, and one that asks for too much is no failure of it', async () => {
  const ended: EndedRequest[] = []
  const folder = await openFolderStorage({ dir, baseUrl: 'http://localhost', signingKey: 'k'.repeat(64) })
  const storage = toldStorage(folder, (each) => ended.push(each))
  await storage.write('ws_1/fil_1', Buffer.from('four'), { contentType: 'text/plain' })
  expect(await storage.find('ws_1/fil_1')).toMatchObject({ sizeBytes: 4 })
  await expect(storage.read('ws_1/fil_1', { maxBytes: 3 })).rejects.toThrow(RangeError)
  await storage.remove('ws_1/fil_1')
  expect(await storage.open('ws_1/fil_1')).toBeUndefined()
  await rm(dir, { recursive: true })
  await expect(
    storage.write('ws_1/fil_1', Buffer.from('four'), { contentType: 'text/plain' }),
  ).rejects.toThrow('ENOENT')
  expect(ended.map(({ request, hasFailed }) => [request, hasFailed])).toEqual([
    ['write', false],
    ['find', false],
    ['read', false],
    ['remove', false],
    ['open', false],
    ['write', true],
  ])
})

test('a storage that is away is told as that, and as nothing else', async () => {
  const folder = await openFolderStorage({ dir, baseUrl: 'http://localhost', signingKey: 'k'.repeat(64) })
  const away = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
  const storage = toldStorage({ ...folder, find: () => Promise.reject(away) }, () => {})
  await expect(storage.find('ws_1/fil_1')).rejects.toMatchObject({ code: 'unavailable', cause: away })
})
