import { newId } from '@flamegate/contract'
import { NotPermitted } from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { prepareProject } from '../testing.ts'

const { at, place, asAda, asBob, asViewer } = prepareProject()

const target = (host: string) => ({ ...place, id: newId('target'), host, token: `token-${host}` })

test('a host has one token in a project, however often it is asked for', async () => {
  const { targets } = at.stores
  const first = await targets.create(asAda(), target('shop.example.com'))
  expect(first).toMatchObject({ ...place, host: 'shop.example.com', method: null, verifiedAt: null })
  const again = await targets.create(asAda(), { ...target('shop.example.com'), token: 'another' })
  expect(again).toEqual(first)
  expect(await targets.findByHost(asAda(), place.projectId, 'shop.example.com')).toEqual(first)
  expect(await targets.find(asAda(), first.id)).toEqual(first)
})

test('what was verified stays so from the first time on, until the token is gone', async () => {
  const { targets } = at.stores
  const { id } = await targets.create(asAda(), target('api.example.com'))
  const failed = await targets.noteCheck(asAda(), id, { failure: 'answered 404.' })
  expect(failed).toMatchObject({ method: null, verifiedAt: null, failure: 'answered 404.' })
  expect(failed?.checkedAt).toBeInstanceOf(Date)
  const found = await targets.noteCheck(asAda(), id, { method: 'file' })
  expect(found).toMatchObject({ method: 'file', failure: null })
  const again = await targets.noteCheck(asAda(), id, { method: 'dns' })
  expect(again).toMatchObject({ method: 'dns', verifiedAt: found?.verifiedAt })
  const gone = await targets.noteCheck(asAda(), id, { failure: 'has something else in it.' })
  expect(gone).toMatchObject({ method: null, verifiedAt: null })
  expect(await targets.remove(asAda(), id)).toBe(true)
  expect(await targets.remove(asAda(), id)).toBe(false)
  expect(await targets.noteCheck(asAda(), id, { method: 'file' })).toBeUndefined()
})

test('others see no target, and viewers change none', async () => {
  const { targets } = at.stores
  const { id } = await targets.create(asAda(), target('www.example.com'))
  expect((await targets.list(asAda(), place.projectId)).map(({ host }) => host)).toContain('www.example.com')
  expect(await targets.list(asBob(), place.projectId)).toEqual([])
  expect(await targets.find(asBob(), id)).toBeUndefined()
  expect(await targets.noteCheck(asBob(), id, { method: 'file' })).toBeUndefined()
  await expect(targets.create(asViewer(), target('viewer.example.com'))).rejects.toThrow(NotPermitted)
  await expect(targets.noteCheck(asViewer(), id, { method: 'file' })).rejects.toThrow(NotPermitted)
  await expect(targets.remove(asViewer(), id)).rejects.toThrow(NotPermitted)
})
