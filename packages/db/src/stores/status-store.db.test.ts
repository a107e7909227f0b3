import { expect, test } from 'vitest'
import { NotPermitted } from '@flamegate/operations/ports'
import { lookAtBacklog } from '../backlog.ts'
import { plainProject, plainRun, prepareStores, testCaller } from '../testing.ts'
import { statusStore } from './status-store.ts'

const at = prepareStores()

test('parts that were seen at work are as old as that', async () => {
  const store = statusStore(at.database)
  await store.markWorked('jobs')
  await at.database.auth.query("UPDATE component_health SET worked_at = now() - interval '1 minute'")
  await store.markWorked('files')
  const { jobs = 0, files = Infinity, database } = await store.agesMs()
  expect([jobs >= 60_000, files < 60_000, database]).toEqual([true, true, undefined])
})

test('several who see the same write one incident, which goes on when it comes back within minutes', async () => {
  const store = statusStore(at.database)
  const seen = { component: 'files', title: 'Files could not be reached', beganAt: new Date() } as const
  await Promise.all([store.beginObserved(seen), store.beginObserved(seen), store.beginObserved(seen)])
  await store.endObserved('files')
  await store.beginObserved(seen)
  expect(await store.listIncidents({ limit: 5 })).toMatchObject([
    { component: 'files', isObserved: true, endedAt: null, message: null },
  ])
  await store.endObserved('files')
  await at.database.auth.query(
    "UPDATE incidents SET began_at = now() - interval '1 day', ended_at = now() - interval '1 hour'",
  )
  await store.beginObserved({ ...seen, beganAt: new Date() })
  const incidents = await store.listIncidents({ limit: 5 })
  expect(incidents.map(({ endedAt }) => endedAt === null)).toEqual([true, false])
})

test('what a person opened ends when a person ends it', async () => {
  const store = statusStore(at.database)
  const id = await store.open({ component: 'api', title: 'Maintenance', message: null })
  await store.endObserved('api')
  expect(await store.update(id, { message: 'Longer than planned.' })).toBe(true)
  const find = async () => (await store.listIncidents({ limit: 9 })).find((each) => each.id === id)
  expect(await find()).toMatchObject({ title: 'Maintenance', message: 'Longer than planned.', endedAt: null })
  expect(await store.update(id, { isEnded: true })).toBe(true)
  expect((await find())?.endedAt).toBeInstanceOf(Date)
  expect(await store.update('inc_none', { isEnded: true })).toBe(false)
})

test('operations see nothing of it', async () => {
  const none = { userId: '', readWorkspaceIds: [], writeWorkspaceIds: [], adminWorkspaceIds: [] }
  const asNobody = (text: string) =>
    at.database.inScope({ ...none, isReadOnly: true }, (client) => client.query(text))
  await expect(asNobody('SELECT FROM incidents')).rejects.toBeInstanceOf(NotPermitted)
  await expect(asNobody('SELECT FROM component_health')).rejects.toBeInstanceOf(NotPermitted)
})

test('what is due is counted in all workspaces, with its age', async () => {
  const { userId, workspaceId } = await at.signUp('ada')
  const caller = testCaller(userId, { [workspaceId]: 'owner' }, 'write')
  const empty = await lookAtBacklog(at.database)
  expect(empty.backlog).toEqual(
    ['deliveries', 'expired_profiles', 'runs_to_judge', 'schedules'].map((kind) => ({
      kind,
      count: 0,
      oldestMs: 0,
    })),
  )
  expect(empty.sizeBytes).toBeGreaterThan(1_000_000)
  await at.stores.projects.create(caller, { ...plainProject, workspaceId, id: 'prj_1', slug: 'a', name: 'A' })
  await at.stores.runs.create(caller, {
    ...plainRun,
    workspaceId,
    projectId: 'prj_1',
    id: 'run_1',
    commitHash: 'abcdef1',
  })
  await at.stores.runs.complete(caller, 'run_1', {
    adapter: 'go_bench',
    warnings: [],
    environment: {},
    results: [],
  })
  const { backlog } = await lookAtBacklog(at.database)
  expect(backlog.filter(({ count }) => count > 0)).toMatchObject([{ kind: 'runs_to_judge', count: 1 }])
})
