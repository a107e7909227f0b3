import { operations, type OutputOf } from '@flamegate/contract'
import { beforeAll, expect, test } from 'vitest'
import { callRest } from './calls.ts'
import { apiToken, signUp, type Person } from './person.ts'

/** Scenarios that run by themselves. */

let owner: Person
let projectId: string
let scenarioId: string

beforeAll(async () => {
  owner = await signUp('Scheduler')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Scheduled',
  })
  projectId = project.id
  const { http_server: server } = await owner.client.call(operations.createHttpServer, {
    project_id: projectId,
    name: 'shop',
    base_url: 'http://127.0.0.1:9',
  })
  const { virtual_user: user } = await owner.client.call(operations.createVirtualUser, {
    project_id: projectId,
    name: 'Buyer',
    document: {
      actions: [{ type: 'http_request', id: 'act_1', method: 'GET', server_id: server.id, path: '/' }],
    },
  })
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Nightly',
    virtual_user_ids: [user.id],
    load: { type: 'ramp_up', users: 1, plateau_ms: 1000 },
  })
  scenarioId = scenario.id
})

type Schedule = OutputOf<typeof operations.listScheduledJobs>['schedules'][number]

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString()

async function scheduled(input: object): Promise<Schedule> {
  const { schedule } = await owner.client.call(operations.scheduleScenario, {
    scenario_id: scenarioId,
    ...input,
  })
  return schedule
}

async function listed(id: string): Promise<Schedule | undefined> {
  const { schedules } = await owner.client.call(operations.listScheduledJobs, {
    project_id: projectId,
    scenario_id: scenarioId,
  })
  return schedules.find((schedule) => schedule.id === id)
}

const update = (schedule_id: string, action: 'enable' | 'disable' | 'delete') =>
  owner.client.call(operations.updateScheduledJob, { schedule_id, action })

test('a scenario that is to run once, in three seconds, does', async () => {
  const runAt = inSeconds(3)
  const { id, next_runs: next } = await scheduled({ name: 'Once', run_at: runAt })
  expect(next).toEqual([runAt])
  await expect
    .poll(async () => (await listed(id))?.firings)
    .toMatchObject([{ due_at: runAt, outcome: 'STARTED', count: 1 }])
  const after = await listed(id)
  expect(after).toMatchObject({ next_runs: [], is_enabled: true })
  const runId = after?.firings[0]?.bench_result_id ?? ''
  const { bench_result: run } = await owner.client.call(operations.getBenchResult, { bench_result_id: runId })
  expect(run).toMatchObject({ name: 'Once', scenario_id: scenarioId })
  await owner.client.call(operations.stopBenchResult, { bench_result_id: runId })
  await expect
    .poll(
      async () =>
        (await owner.client.call(operations.getBenchResult, { bench_result_id: runId })).bench_result.state,
    )
    .toMatch(/ABORTED|ERROR|FINISHED/)
  await expect(update(id, 'disable').then(() => update(id, 'enable'))).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field: 'action' }],
  })
})

test('one by cron tells its next five times, is turned off and on, and deleted', async () => {
  const made = await scheduled({ cron: '30 6 * * 1-5', time_zone: 'Europe/Berlin', overlap: 'wait' })
  expect(made).toMatchObject({
    name: 'Nightly',
    cron: '30 6 * * 1-5',
    time_zone: 'Europe/Berlin',
    overlap: 'wait',
    is_enabled: true,
    firings: [],
  })
  expect(made.next_runs).toHaveLength(5)
  const inBerlin = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'Europe/Berlin',
    hour: '2-digit',
    minute: '2-digit',
  })
  expect(new Set(made.next_runs.map((at) => inBerlin.format(new Date(at))))).toEqual(new Set(['06:30']))
  expect((await update(made.id, 'disable')).schedule).toMatchObject({ is_enabled: false, next_runs: [] })
  expect((await update(made.id, 'enable')).schedule).toEqual(made)
  expect((await update(made.id, 'delete')).deleted).toBe(true)
  expect(await listed(made.id)).toBeUndefined()
  await expect(update(made.id, 'delete')).rejects.toMatchObject({ code: 'schedule_not_found' })
})

test.each<[string, object, string, string]>([
  ['no time', {}, 'cron', 'either'],
  ['two', { run_at: inSeconds(60), cron: '0 3 * * *' }, 'run_at', 'either'],
  ['a time that has passed', { run_at: inSeconds(-60) }, 'run_at', 'passed'],
  ['seconds', { cron: '0 0 3 * * *' }, 'cron', 'five fields'],
  ['a day that never comes', { cron: '0 3 31 2 *' }, 'cron', 'days 1 to 31'],
  ['a zone that is none', { cron: '0 3 * * *', time_zone: 'Mars/Olympus' }, 'time_zone', 'IANA'],
])('%s is refused, with the field', async (_what, input, field, words) => {
  await expect(scheduled(input)).rejects.toMatchObject({
    code: 'invalid_input',
    errors: [{ field, message: expect.stringContaining(words) }],
  })
})

test('what cannot run is not scheduled', async () => {
  const { scenario } = await owner.client.call(operations.createScenario, {
    project_id: projectId,
    name: 'Empty',
  })
  await expect(scheduled({ scenario_id: scenario.id, cron: '0 3 * * *' })).rejects.toMatchObject({
    code: 'invalid_input',
  })
})

test('an agent without the scope run may turn a schedule off, and not on', async () => {
  const { id } = await scheduled({ cron: '0 3 29 2 *' })
  const token = await apiToken(owner, ['read', 'write'])
  const switched = (action: string) =>
    callRest(operations.updateScheduledJob, { schedule_id: id, action }, { token })
  expect((await switched('disable')).answer).toMatchObject({ schedule: { is_enabled: false } })
  expect((await switched('enable')).code).toBe('insufficient_scope')
  expect(await listed(id)).toMatchObject({ is_enabled: false })
})
