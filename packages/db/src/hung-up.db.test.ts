import { expect, test } from 'vitest'
import { preparePeople } from './testing.ts'

const { at, ada, asAda } = preparePeople()

test('a call that nobody waits for any more begins no further transaction', async () => {
  const hungUp = new AbortController()
  const caller = { ...asAda('read'), signal: hungUp.signal }
  const { workspaces, tasks } = at.stores
  expect(await workspaces.find(caller, ada.workspaceId)).toMatchObject({ id: ada.workspaceId })
  hungUp.abort()
  await expect(workspaces.find(caller, ada.workspaceId)).rejects.toBe(hungUp.signal.reason)
  await expect(tasks.find(caller, 'tsk_1')).rejects.toBe(hungUp.signal.reason)
})
