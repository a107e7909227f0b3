import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { inSequence, plainFile, prepareProject } from '../testing.ts'

const { at, ada, place, asAda, asBob, asViewer } = prepareProject()

async function addFile(name: string, { isReady = true, purpose = 'store_project_file' } = {}) {
  const id = newId('file')
  await at.stores.files.create(asAda(), {
    ...plainFile,
    ...place,
    id,
    purpose,
    name,
    sizeBytes: 5,
    storageKey: `${ada.workspaceId}/${id}`,
  })
  if (isReady) await at.stores.files.markReady(asAda(), id, { sizeBytes: 5, sha256: null })
  return id
}

const meaningOf = async (path: string) =>
  (await at.stores.projectFiles.find(asAda(), place.projectId, path))?.id

test('a path means the file that was placed last, and the ones before stay as its versions', async () => {
  const { projectFiles } = at.stores
  const [first = '', second = ''] = await inSequence(['users.csv', 'users.csv'], (path) => addFile(path))
  expect(await meaningOf('users.csv')).toBeUndefined()
  expect(await projectFiles.place(asAda(), first)).toBe(true)
  expect(await meaningOf('users.csv')).toBe(first)
  expect(await projectFiles.place(asAda(), second)).toBe(true)
  expect(await meaningOf('users.csv')).toBe(second)
  const versions = await projectFiles.listVersions(asAda(), place.projectId, 100)
  expect(new Map(versions.map(({ id, isCurrent }) => [id, isCurrent]))).toEqual(
    new Map([
      [first, false],
      [second, true],
    ]),
  )

  expect(await projectFiles.remove(asAda(), place, 'users.csv')).toBe(true)
  expect(await projectFiles.remove(asAda(), place, 'users.csv')).toBe(false)
  expect(await meaningOf('users.csv')).toBeUndefined()
  expect(await projectFiles.place(asAda(), first)).toBe(true)
  expect(await meaningOf('users.csv')).toBe(first)
})

test('only a file of that purpose whose bytes have come can be placed', async () => {
  const { projectFiles } = at.stores
  expect(await projectFiles.place(asAda(), await addFile('late.csv', { isReady: false }))).toBe(false)
  expect(await projectFiles.place(asAda(), await addFile('cpu.pb', { purpose: 'import_profile' }))).toBe(
    false,
  )
  expect(await projectFiles.place(asAda(), newId('file'))).toBe(false)
})

test('others see no file, and viewers change none', async () => {
  const { projectFiles } = at.stores
  const id = await addFile('mine.csv')
  await projectFiles.place(asAda(), id)
  expect(await projectFiles.find(asBob(), place.projectId, 'mine.csv')).toBeUndefined()
  expect(await projectFiles.listVersions(asBob(), place.projectId, 100)).toEqual([])
  expect(await projectFiles.place(asBob(), id)).toBe(false)
  await expect(projectFiles.place(asViewer(), id)).rejects.toThrow(NotPermitted)
  await expect(projectFiles.remove(asViewer(), place, 'mine.csv')).rejects.toThrow(NotPermitted)
})
