import { newId } from '@flamegate/contract'
import { NotPermitted, type CompletedImport, type StoredFile } from '@flamegate/operations/ports'
import { beforeEach, expect, test } from 'vitest'
import { preparePeople } from '../testing.ts'

const { at, ada, asAda, asBob, asViewer, createProject } = preparePeople()
let place: { workspaceId: string; projectId: string }

beforeEach(async () => {
  place = { workspaceId: ada.workspaceId, projectId: await createProject() }
})

function file(name: string): StoredFile {
  const id = newId('file')
  const storageKey = `${ada.workspaceId}/${id}`
  return { id, name, contentType: 'text/csv', sizeBytes: 9, sha256: 'a'.repeat(64), storageKey }
}

function completed(change: Partial<CompletedImport> = {}): CompletedImport {
  const id = newId('virtualUser')
  return {
    ...place,
    taskId: newId('task'),
    fileName: 'shop.har',
    objects: [{ id, kind: 'virtual_user', name: 'Buyer', document: { name: 'Buyer' }, summary: {} }],
    change: { words: 'Imported', author: { userId: ada.userId, clientName: 'Claude' } },
    files: [file('users.csv')],
    recording: {
      id: newId('recording'),
      file: file('recording.ndjson.gz'),
      exchangeCount: 3,
      index: Buffer.from('{"exchanges":[]}'),
    },
    report: { format: 'har', elements: [], notes: ['All of it'] },
    result: { virtual_users: [{ id, name: 'Buyer' }] },
    ...change,
  }
}

test('an import is stored as a whole, for the members of its workspace', async () => {
  const { imports, recordings, designs, projectFiles } = at.stores
  const whole = completed()
  expect(await imports.complete(asAda(), whole)).toBe(true)
  expect(await imports.find(asViewer(), whole.taskId)).toMatchObject({
    ...place,
    fileName: 'shop.har',
    report: whole.report,
    result: whole.result,
  })
  const { id = '', file: recorded } = whole.recording ?? {}
  const recording = await recordings.find(asViewer(), id)
  expect(recording).toMatchObject({
    ...place,
    storageKey: recorded?.storageKey,
    sizeBytes: 9,
    exchangeCount: 3,
  })
  expect(Buffer.from(recording?.index ?? []).toString()).toBe('{"exchanges":[]}')
  expect(await projectFiles.find(asAda(), place.projectId, 'users.csv')).toMatchObject({ status: 'READY' })
  expect(await designs.find(asAda(), whole.objects[0]?.id ?? '')).toMatchObject({ createdBy: ada.userId })

  expect(await imports.find(asBob(), whole.taskId)).toBeUndefined()
  expect(await recordings.find(asBob(), id)).toBeUndefined()
  await expect(imports.complete(asViewer(), completed())).rejects.toThrow(NotPermitted)
})

test('the same import again stores nothing', async () => {
  const { imports, designs } = at.stores
  const whole = completed()
  await imports.complete(asAda(), whole)
  const again = { ...completed(), taskId: whole.taskId }
  expect(await imports.complete(asAda(), again)).toBe(false)
  expect(await designs.find(asAda(), again.objects[0]?.id ?? '')).toBeUndefined()
  expect(await imports.find(asAda(), whole.taskId)).toMatchObject({ result: whole.result })
})

test('of an import that cannot be stored as a whole, nothing is there', async () => {
  const { imports, recordings, projectFiles } = at.stores
  await imports.complete(asAda(), completed({ files: [], recording: null }))
  const second = completed({ files: [file('other.csv')] })
  await expect(imports.complete(asAda(), second)).rejects.toMatchObject({ field: 'name' })
  expect(await imports.find(asAda(), second.taskId)).toBeUndefined()
  expect(await recordings.find(asAda(), second.recording?.id ?? '')).toBeUndefined()
  expect(await projectFiles.find(asAda(), place.projectId, 'other.csv')).toBeUndefined()
})
