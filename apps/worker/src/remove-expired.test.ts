import { findExpiredProfiles } from '@flamegate/db'
import { prepareProject } from '@flamegate/db/testing'
import { removeExpiredProfiles } from '@flamegate/operations'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'

const { at, ada, projectId, asAda } = prepareProject()
const place = { workspaceId: ada.workspaceId, projectId, runId: null }

/** A profile with its file and its task, as they are when an agent has pushed it. */
async function storePushed(number: number, expiresAt: Date | null): Promise<string> {
  const file = await at.stores.files.create(asAda(), {
    ...place,
    id: `fil_${number}`,
    purpose: 'import_profile',
    name: 'profile.pb.gz',
    contentType: 'application/octet-stream',
    sizeBytes: 1,
    storageKey: `${ada.workspaceId}/fil_${number}`,
    expiresAt: null,
  })
  const { id } = await at.stores.profiles.create(asAda(), {
    ...place,
    id: `prf_${number}`,
    benchmarkId: null,
    fileId: file.id,
    name: 'checkout',
    type: 'cpu',
    tags: [],
    expiresAt,
  })
  await at.stores.tasks.create(asAda(), {
    ...place,
    id: `tsk_${number}`,
    kind: 'import_profile',
    message: '',
    result: null,
  })
  return id
}

test('profiles past their time go with their files and tasks, and no others', async () => {
  const expired = await storePushed(1, new Date(Date.now() - 1000))
  const later = await storePushed(2, new Date(Date.now() + 60_000))
  const always = await storePushed(3, null)
  const removedKeys: string[] = []
  const find = (options: { limit: number }) => findExpiredProfiles(at.database, options)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nothing else is asked of it
  const storage = { remove: async (key: string) => void removedKeys.push(key) } as ObjectStorage
  const deps = { stores: at.stores, storage }

  expect(await removeExpiredProfiles(find, deps)).toBe(1)
  expect(removedKeys).toEqual([`${ada.workspaceId}/fil_1`])
  expect(await at.stores.profiles.find(asAda(), expired)).toBeUndefined()
  expect(await at.stores.files.find(asAda(), 'fil_1')).toBeUndefined()
  expect(await at.stores.tasks.find(asAda(), 'tsk_1')).toBeUndefined()
  for (const id of [later, always]) {
    // oxlint-disable-next-line no-await-in-loop -- two
    expect(await at.stores.profiles.find(asAda(), id)).toBeDefined()
  }
  expect(await at.stores.tasks.find(asAda(), 'tsk_2')).toBeDefined()
  expect(await removeExpiredProfiles(find, deps)).toBe(0)
})
