import { newId } from '@flamegate/contract'
import { NotPermitted, type Firing } from '@flamegate/operations/ports'
import { beforeAll, expect, test } from 'vitest'
import { findDueSchedules } from '../due-schedules.ts'
import { prepareProject } from '../testing.ts'

const { at, ada, projectId, asAda, asBob, asViewer, createProject } = prepareProject({ roleOfAda: 'member' })
let scenarioId: string

beforeAll(async () => {
  scenarioId = await createScenario(projectId, 'Checkout')
})

const schedules = () => at.stores.schedules
const inAnHour = () => new Date(Date.now() + 3_600_000)
const aMomentAgo = () => new Date(Date.now() - 1_000)

async function createScenario(ofProject: string, name: string): Promise<string> {
  const { id } = await at.stores.designs.create(
    asAda(),
    { workspaceId: ada.workspaceId, projectId: ofProject },
    { id: newId('scenario'), kind: 'scenario', name, document: { name }, summary: {} },
    { words: 'Created' },
  )
  return id
}

async function create(nextRunAt: Date | null, place = { projectId, scenarioId }, caller = asAda()) {
  const created = await schedules().create(caller, {
    id: newId('schedule'),
    workspaceId: ada.workspaceId,
    ...place,
    name: 'Nightly',
    document: {
      type: 'cron',
      expression: '0 3 * * *',
      time_zone: 'Europe/Berlin',
      when_overdue: 'skip',
      overlap: 'wait',
    },
    agentsMax: 3,
    nextRunAt,
  })
  if (created === undefined) throw new TypeError('There is no place for a schedule')
  return created
}

const turnOff = () => ({ isEnabled: false })
const inProject = (id: string) => {
  const caller = asAda()
  return { ...caller, principal: { ...caller.principal, projectId: id } }
}
const dueIds = async () => (await findDueSchedules(at.database)).map(({ id }) => id)

test('a schedule is there as it was made, for its workspace', async () => {
  const made = await create(inAnHour())
  expect(made).toMatchObject({
    name: 'Nightly',
    document: { time_zone: 'Europe/Berlin', overlap: 'wait' },
    agentsMax: 3,
    isEnabled: true,
    waitingSince: null,
    startingSince: null,
    firings: [],
    createdBy: ada.userId,
  })
  expect(await schedules().find(asAda(), made.id)).toEqual(made)
  expect(await schedules().list(asAda(), { projectId, scenarioId })).toContainEqual(made)
  expect(await schedules().list(asAda(), { projectId, scenarioId: 'scn_other' })).toEqual([])
  expect(await schedules().find(asBob(), made.id)).toBeUndefined()
  expect(await schedules().list(asBob(), { projectId })).toEqual([])
  expect(await schedules().remove(asBob(), made.id)).toBe(false)
})

test('who only looks changes nothing, and nobody else does', async () => {
  const made = await create(inAnHour())
  await expect(create(inAnHour(), { projectId, scenarioId }, asViewer())).rejects.toThrow(NotPermitted)
  await expect(schedules().change(asViewer(), made.id, turnOff)).rejects.toThrow(NotPermitted)
  await expect(schedules().remove(asViewer(), made.id)).rejects.toThrow(NotPermitted)
  expect(await schedules().change(asBob(), made.id, turnOff)).toBeUndefined()
  expect(await schedules().find(asAda(), made.id)).toEqual(made)
})

test('those of another project are not there for a credential of one', async () => {
  const made = await create(inAnHour())
  const other = await createProject()
  expect(await schedules().find(inProject(other), made.id)).toBeUndefined()
  expect(await schedules().find(inProject(projectId), made.id)).toEqual(made)
})

test('what is due is found, until it was looked after', async () => {
  const later = await create(inAnHour())
  const due = await create(aMomentAgo())
  const off = await create(null)
  expect(await dueIds()).toContain(due.id)
  expect(await dueIds()).not.toContain(later.id)
  expect(await dueIds()).not.toContain(off.id)
  await schedules().change(asAda(), due.id, () => ({ startingSince: new Date() }))
  expect(await dueIds()).not.toContain(due.id)
  // Whoever was to start the run may be gone.
  await schedules().change(asAda(), due.id, () => ({ startingSince: new Date(Date.now() - 61_000) }))
  expect(await dueIds()).toContain(due.id)
  await schedules().change(asAda(), due.id, () => ({ startingSince: null, nextRunAt: inAnHour() }))
  expect(await dueIds()).not.toContain(due.id)
})

test('of many who decide at once, each sees what the one before did', async () => {
  const { id } = await create(aMomentAgo())
  const firing: Firing = {
    due_at: '2026-05-04T03:00:00.000Z',
    at: '2026-05-04T03:00:01.000Z',
    outcome: 'SKIPPED',
    message: 'It was not its turn.',
    count: 1,
    bench_result_id: null,
  }
  await Promise.all(
    Array.from({ length: 8 }, () =>
      schedules().change(asAda(), id, ({ firings }) =>
        firings.length === 0 ? { firings: [firing], nextRunAt: null } : { firings: [...firings, firing] },
      ),
    ),
  )
  expect(await schedules().find(asAda(), id)).toMatchObject({
    nextRunAt: null,
    firings: Array.from({ length: 8 }, () => firing),
  })
  expect(await schedules().remove(asAda(), id)).toBe(true)
  expect(await schedules().remove(asAda(), id)).toBe(false)
})

test('a project has a hundred at most', async () => {
  const crowded = await createProject()
  const place = { projectId: crowded, scenarioId: await createScenario(crowded, 'Crowd') }
  await Promise.all(Array.from({ length: 100 }, () => create(inAnHour(), place)))
  await expect(create(inAnHour(), place)).rejects.toThrow('no place')
  expect(await schedules().list(asAda(), { projectId: crowded })).toHaveLength(100)
})
