import { newId } from '@flamegate/contract'
import {
  Conflict,
  NotPermitted,
  type BenchChange,
  type BenchResult,
  type Notification,
  type NotificationEvent,
  type NotificationFilter,
} from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { prepareProject } from '../testing.ts'

/** What others are to hear of a run is in the outbox with the change that they are to hear of, or not at all. */

const { at, ada, projectId, asAda, asBob } = prepareProject()

const all: NotificationEvent[] = ['test_started', 'test_ended', 'test_passed', 'test_failed', 'test_error']
const everyRun: NotificationFilter = {
  scenario_name: null,
  duration_ms_min: null,
  users_min: null,
  project_id: null,
}

const store = () => at.stores.notifications

const create = (change: Partial<Notification> = {}) =>
  store().create(asAda(), {
    id: newId('notification'),
    workspaceId: ada.workspaceId,
    name: newId('notification'),
    channel: 'slack',
    target: { host: 'hooks.slack.com' },
    sealedSecret: 'sealed',
    sealedUrl: null,
    events: all,
    filter: everyRun,
    isActive: true,
    ...change,
  })

const createRun = (usersMax = 10): Promise<BenchResult> =>
  at.stores.benchRuns.create(
    asAda(),
    {
      id: newId('benchResult'),
      workspaceId: ada.workspaceId,
      projectId,
      scenarioId: null,
      scenarioVersion: null,
      name: 'Named otherwise',
      durationMs: 60_000,
      usersMax,
      agentWaitMs: 60_000,
      taskId: newId('task'),
      benchReportId: null,
      plan: { scenario: { name: 'Checkout' }, virtual_users: [], servers: [], variables: [], actions: [] },
    },
    [],
  )

/** As ada would who sees that project alone. */
const asAdaInProject = () => {
  const usual = asAda()
  return { ...usual, principal: { ...usual.principal, projectId } }
}

const become = (
  run: BenchResult,
  state: BenchResult['state'],
  change: Partial<BenchChange> = {},
  caller = asAda(),
) =>
  at.stores.benchRuns.change(caller, run.id, () => ({
    run: { state, ...(state === 'RUNNING' ? {} : { endedAt: new Date() }) },
    shards: [],
    events: [],
    ...change,
  }))

/** What a notification is to tell of a run, oldest first. */
const told = async ({ id: notificationId }: Notification, run: BenchResult) =>
  (await at.stores.deliveries.list(asAda(), { notificationId }, { limit: 50 }))
    .filter(({ subjectIds }) => subjectIds.includes(run.id))
    .map(({ event }) => event)
    .toReversed()

test.each<[BenchResult['state'], boolean | undefined, NotificationEvent, NotificationEvent[]]>([
  ['FINISHED', true, 'test_passed', ['test_ended']],
  ['FINISHED', false, 'test_failed', ['test_ended']],
  ['ABORTED', false, 'test_failed', ['test_ended']],
  ['ABORTED', true, 'test_ended', ['test_ended']],
  ['ERROR', undefined, 'test_error', ['test_ended']],
])('a run that is %s, passed: %s, is told once as %s', async (state, hasPassed, event, ofEnd) => {
  const whoeverHearsAll = await create()
  const whoeverHearsTheEnd = await create({ events: ['test_ended'] })
  const run = await createRun()
  await become(run, 'RUNNING')
  // Nothing new.
  await become(run, 'RUNNING', { events: [{ at: new Date().toISOString(), kind: 'load', words: 'More' }] })
  await become(run, state, hasPassed === undefined ? {} : { hasPassed })
  expect(await told(whoeverHearsAll, run)).toEqual(['test_started', event])
  expect(await told(whoeverHearsTheEnd, run)).toEqual(ofEnd)
})

test('whoever is switched off, or filters it out, hears nothing', async () => {
  const off = await create({ isActive: false })
  const large = await create({ filter: { ...everyRun, users_min: 11 } })
  const byScenario = await create({
    filter: { ...everyRun, scenario_name: { text: 'Checkout', match: 'equals' } },
  })
  const run = await createRun()
  await become(run, 'RUNNING')
  expect(await told(off, run)).toEqual([])
  expect(await told(large, run)).toEqual([])
  expect(await told(byScenario, run)).toEqual(['test_started'])
  const larger = await createRun(11)
  await become(larger, 'RUNNING')
  expect(await told(large, larger)).toEqual(['test_started'])
})

test('who is to hear of a run hears of it also when whoever starts it sees nothing of them', async () => {
  const notification = await create()
  const run = await createRun()
  expect(await store().list(asAdaInProject(), ada.workspaceId)).toEqual([])
  await become(run, 'RUNNING', {}, asAdaInProject())
  expect(await told(notification, run)).toEqual(['test_started'])
})

test('what is undone is not told', async () => {
  const notification = await create()
  const run = await createRun()
  const refused = become(run, 'RUNNING', {
    // No shard has this state: the whole change is undone.
    shards: [{ id: 'shd_none' }],
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what cannot be stored
    run: { state: 'RUNNING', sharesVersion: 'none' as unknown as number },
  })
  await expect(refused).rejects.toThrow('integer')
  expect(await told(notification, run)).toEqual([])
})

test('a name is taken once in a workspace', async () => {
  await create({ name: 'Team' })
  await expect(create({ name: 'Team' })).rejects.toThrow(Conflict)
})

test('nobody of another workspace sees, changes or adds a notification', async () => {
  const notification = await create()
  expect(await store().find(asBob(), notification.id)).toBeUndefined()
  expect(await store().list(asBob(), ada.workspaceId)).toEqual([])
  expect(await store().update(asBob(), notification.id, { isActive: false })).toBeUndefined()
  expect(await store().remove(asBob(), notification.id)).toBe(false)
  await expect(
    store().create(asBob(), { ...notification, id: newId('notification'), name: 'Theirs' }),
  ).rejects.toThrow(NotPermitted)
})

test('what was told is forgotten with whom it was told', async () => {
  const notification = await create()
  const run = await createRun()
  await become(run, 'RUNNING')
  expect(await told(notification, run)).toEqual(['test_started'])
  expect(await store().remove(asAda(), notification.id)).toBe(true)
  expect(await told(notification, run)).toEqual([])
})
