import { mkdtemp, rm, truncate } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { newId } from '@flamegate/contract'
import { plainFile, prepareProject } from '@flamegate/db/testing'
import { openStorage } from '@flamegate/storage'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { verifyBackup } from './verify-backup.ts'
import { writeBackup } from './write-backup.ts'

const { at, ada, place, asAda } = prepareProject({ access: 'admin' })

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'flamegate-backup-'))
})
afterAll(() => rm(folder, { recursive: true }))

async function storageIn(name: string) {
  const links = { baseUrl: 'http://localhost', signingKey: 'x'.repeat(32) }
  const dir = join(folder, name)
  const settings = { S3_REGION: 'us-east-1', S3_FORCE_PATH_STYLE: false, FLAMEGATE_STORAGE_DIR: dir }
  return (await openStorage(settings, links)).storage
}

async function addFile(): Promise<{ id: string; storageKey: string }> {
  const id = newId('file')
  const storageKey = `${ada.workspaceId}/${id}`
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id,
    storageKey,
  })
  return { id, storageKey }
}

test('a backup tells files that the database has and the storage has not from those that are still to come', async () => {
  const storage = await storageIn('own')
  const [stored] = [await addFile(), await addFile()]
  const { sizeBytes, sha256 } = await storage.write(stored.storageKey, Buffer.from('12345'), {
    contentType: 'application/json',
  })
  await at.stores.files.markReady(asAda(), stored.id, { sizeBytes, sha256: sha256 ?? '' })

  const source = { ownerUrl: at.urls.ownerUrl, storage }
  const whole = await writeBackup(source, join(folder, 'whole'), () => undefined)
  expect(whole.objects).toMatchObject({ count: 1, missing: 1, lost: 0 })

  const elsewhere = { ...source, storage: await storageIn('of another installation') }
  const lacking = await writeBackup(elsewhere, join(folder, 'lacking'), () => undefined)
  expect(lacking.objects).toMatchObject({ count: 0, missing: 1, lost: 1 })
  const { manifest } = await verifyBackup(join(folder, 'lacking'))
  expect(manifest.objects.lost).toBe(1)
})

test('a file that is removed while the backup is taken is none that is lost', async () => {
  const storage = await storageIn('busy')
  const removed = await addFile()
  await at.stores.files.markReady(asAda(), removed.id, { sizeBytes: 5, sha256: '' })
  // Its bytes go first, and its row when it is looked for again, of which the snapshot knows nothing.
  let looks = 0
  vi.spyOn(storage, 'open').mockImplementation(async (key) => {
    if (key === removed.storageKey && ++looks === 2) await at.stores.files.remove(asAda(), removed.id)
    return undefined
  })
  const source = { ownerUrl: at.urls.ownerUrl, storage }
  const { objects } = await writeBackup(source, join(folder, 'taken while busy'), () => undefined)
  expect(looks).toBe(2)
  // That of the test before, which is in another storage.
  expect(objects.lost).toBe(1)
})

test('a manifest that was cut off is told in words', async () => {
  await truncate(join(folder, 'whole/manifest.json'), 200)
  await expect(verifyBackup(join(folder, 'whole'))).rejects.toThrow(
    'manifest.json is damaged: it is not JSON. Take another backup.',
  )
})
