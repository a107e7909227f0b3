import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestStores, testCaller, type TestStores } from './testing.ts'

let at: TestStores
let ada: { userId: string; workspaceId: string }

beforeAll(async () => {
  at = await startTestStores()
  ada = await at.signUp('ada')
})
afterAll(() => at?.stop())

test('a call that nobody waits for any more begins no further transaction', async () => {
  const hungUp = new AbortController()
  const caller = { ...testCaller(ada.userId, { [ada.workspaceId]: 'owner' }, 'read'), signal: hungUp.signal }
  const { workspaces, tasks } = at.stores
  expect(await workspaces.find(caller, ada.workspaceId)).toMatchObject({ id: ada.workspaceId })
  hungUp.abort()
  await expect(workspaces.find(caller, ada.workspaceId)).rejects.toBe(hungUp.signal.reason)
  await expect(tasks.find(caller, 'tsk_1')).rejects.toBe(hungUp.signal.reason)
})
