import { newId } from '@flamegate/contract'
import { NotPermitted, type NewAlert, type Run, type Webhook } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { sweepExpired } from '../sweep.ts'
import { plainProject, plainRun, preparePeople } from '../testing.ts'
import { dueDeliveries, tell } from './outbox.ts'

const { at, ada, bob, asAda, asBob, asViewer, createProject } = preparePeople()

const createPlace = async () => ({ workspaceId: ada.workspaceId, projectId: await createProject() })

function createWebhook(
  place: { workspaceId: string; projectId: string },
  events: Webhook['events'],
): Promise<Webhook> {
  return at.stores.webhooks.create(asAda(), {
    ...place,
    id: newId('webhook'),
    host: 'hooks.example.com',
    sealedUrl: 'sealed address',
    events,
    isActive: true,
    sealedSecret: 'sealed',
  })
}

async function completeRun(projectId: string, pullRequest: number | null = null): Promise<Run> {
  const { id } = await at.stores.runs.create(asAda(), {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId,
    pullRequest,
  })
  return complete(id)
}

function complete(runId: string): Promise<Run> {
  const result = {
    uri: 'a',
    name: 'a',
    instrument: 'walltime',
    metric: 'time',
    betterWhen: 'lower',
    value: 1,
    unit: 'ns',
    stats: {},
  } as const
  return at.stores.runs.complete(asAda(), runId, {
    adapter: 'codspeed',
    warnings: [],
    environment: {},
    results: [{ ...result, metrics: [] }],
  })
}

async function raise(run: Run): Promise<string> {
  const benchmark = await at.stores.benchmarks.findByUri(asAda(), run.projectId, 'a')
  const alert: NewAlert = {
    benchmarkId: benchmark?.id ?? '',
    metric: 'time',
    branch: 'main',
    test: 'static',
    runId: run.id,
    raisedByRunId: run.id,
    verdict: 'regressed',
    unit: 'ns',
    baseline: 1,
    value: 2,
    crossedLimit: 1,
    changePercent: 100,
    reason: '',
  }
  const raised = await at.stores.alerts.raise(asAda(), run, [alert])
  return raised[0]?.id ?? 'none'
}

const list = (projectId: string, caller = asAda()) =>
  at.stores.deliveries.list(caller, { projectId }, { limit: 50 })

/** `event subjects` of what waits, oldest first. */
const told = async (projectId: string) =>
  (await list(projectId)).map(({ event, subjectIds }) => [event, ...subjectIds]).toReversed()

describe('the outbox', () => {
  test('has a message for everything that a webhook asked for, and for nothing else', async () => {
    const place = await createPlace()
    await createWebhook(place, ['alert.opened', 'alert.resolved'])
    const run = await completeRun(place.projectId)
    const alertId = await raise(run)
    await raise(run)
    const change = (state: 'acknowledged' | 'resolved' | 'open') =>
      at.stores.alerts.changeState(asAda(), alertId, { state, reason: '' })
    await change('acknowledged')
    await change('resolved')
    await change('resolved')
    expect(await told(place.projectId)).toEqual([
      ['alert.opened', alertId],
      ['alert.resolved', alertId],
    ])
  })

  test('has a message of a run for each webhook, and for GitHub when it is of a pull request', async () => {
    const place = await createPlace()
    await createWebhook(place, ['run.completed'])
    await createWebhook(place, ['run.completed'])
    await at.stores.githubReports.set(asAda(), {
      ...place,
      sealedToken: 'sealed',
      setsStatus: true,
      comments: true,
    })
    await completeRun(place.projectId)
    expect((await list(place.projectId)).map(({ webhookId }) => webhookId !== null)).toEqual([true, true])
    await completeRun(place.projectId, 7)
    expect((await list(place.projectId)).filter(({ webhookId }) => webhookId === null)).toHaveLength(1)
  })

  test('has one message of a run that more is added to before it was tried, and another one after that', async () => {
    const place = await createPlace()
    await createWebhook(place, ['run.completed'])
    const run = await completeRun(place.projectId)
    await complete(run.id)
    const [first] = await list(place.projectId)
    expect(await told(place.projectId)).toHaveLength(1)
    if (first) await at.stores.deliveries.take(asAda(), first, null)
    await complete(run.id)
    expect(await told(place.projectId)).toHaveLength(2)
  })

  test('has nothing of what was undone', async () => {
    const place = await createPlace()
    await createWebhook(place, ['run.completed'])
    const undone = at.database.asCallerSql(asAda(), async (client) => {
      await tell(client, { ...place, event: 'run.completed', subjectIds: ['run_1'] })
      throw new RangeError('Undone')
    })
    await expect(undone).rejects.toThrow('Undone')
    expect(await list(place.projectId)).toEqual([])
  })

  test('has nothing for a webhook that is off', async () => {
    const place = await createPlace()
    const { id } = await createWebhook(place, ['run.completed'])
    await at.stores.webhooks.update(asAda(), id, { isActive: false })
    await completeRun(place.projectId)
    expect(await list(place.projectId)).toEqual([])
  })
})

async function waiting() {
  const place = await createPlace()
  await createWebhook(place, ['run.completed'])
  await completeRun(place.projectId)
  const [delivery] = await list(place.projectId)
  if (!delivery) throw new Error('Nothing waits')
  return delivery
}
const isDue = async (id: string) => (await dueDeliveries(at.database, 1_000)).some((due) => due.id === id)

describe('a message', () => {
  test('of a workspace that has few is due before the second one of a workspace that has many', async () => {
    const many = [await waiting(), await waiting(), await waiting()]
    const projectId = newId('project')
    await at.stores.projects.create(asBob(), {
      ...plainProject,
      id: projectId,
      workspaceId: bob.workspaceId,
      slug: 'few',
      name: 'Few',
    })
    const place = { workspaceId: bob.workspaceId, projectId }
    await at.stores.webhooks.create(asBob(), {
      ...place,
      id: newId('webhook'),
      host: 'hooks.example.com',
      sealedUrl: 'sealed address',
      events: ['run.completed'],
      isActive: true,
      sealedSecret: 'sealed',
    })
    await at.database.asCallerSql(asBob(), (client) =>
      tell(client, { ...place, event: 'run.completed', subjectIds: ['run_1'] }),
    )
    const workspaces = (await dueDeliveries(at.database, 2)).map(({ workspaceId }) => workspaceId)
    expect(many).toHaveLength(3)
    expect(workspaces.toSorted()).toEqual([ada.workspaceId, bob.workspaceId].toSorted())
  })

  test('is taken once, however many workers want it, and is not due before its next time', async () => {
    const delivery = await waiting()
    expect(await isDue(delivery.id)).toBe(true)
    const nextAt = new Date(Date.now() + 60_000)
    const taken = await Promise.all([1, 2, 3].map(() => at.stores.deliveries.take(asAda(), delivery, nextAt)))
    expect(taken.filter((each) => each !== undefined)).toMatchObject([{ attempts: 1, nextAt }])
    expect(await isDue(delivery.id)).toBe(false)
  })

  test('that was delivered is not due any more, until somebody wants it sent again', async () => {
    const { id } = await waiting()
    const outcome = { wasDelivered: true, responseStatus: 204, responseExcerpt: '', durationMs: 5 }
    await at.stores.deliveries.keepBody(asAda(), id, '{"a":1}')
    await at.stores.deliveries.noteOutcome(asAda(), id, outcome)
    expect(await at.stores.deliveries.find(asAda(), id)).toMatchObject({ responseStatus: 204, nextAt: null })
    expect(await isDue(id)).toBe(false)
    expect(await at.stores.deliveries.repeat(asAda(), id)).toMatchObject({
      attempts: 0,
      deliveredAt: null,
      body: '{"a":1}',
    })
    expect(await isDue(id)).toBe(true)
  })

  test('is not due before the other side wants it again, and not at all after its last attempt', async () => {
    const delivery = await waiting()
    const refused = { wasDelivered: false, responseStatus: 429, responseExcerpt: '', durationMs: 5 }
    await at.stores.deliveries.take(asAda(), delivery, new Date(Date.now() + 5_000))
    await at.stores.deliveries.noteOutcome(asAda(), delivery.id, { ...refused, retryAfterSeconds: 3600 })
    const nextAt = async () => (await at.stores.deliveries.find(asAda(), delivery.id))?.nextAt
    expect((await nextAt())?.getTime()).toBeGreaterThan(Date.now() + 3_000_000)
    await at.stores.deliveries.giveUp(asAda(), delivery.id, 'Over')
    await at.stores.deliveries.noteOutcome(asAda(), delivery.id, { ...refused, retryAfterSeconds: 3600 })
    expect(await nextAt()).toBeNull()
  })

  test('is kept for 30 days, and as long as it waits', async () => {
    const [old, stillWaiting] = [await waiting(), await waiting()]
    await at.stores.deliveries.giveUp(asAda(), old.id, 'Over')
    await at.database.asCallerSql(asAda(), (client) =>
      client.query("UPDATE deliveries SET created_at = now() - interval '31 days' WHERE id = ANY ($1)", [
        [old.id, stillWaiting.id],
      ]),
    )
    await sweepExpired(at.database)
    expect(await at.stores.deliveries.find(asAda(), old.id)).toBeUndefined()
    expect(await at.stores.deliveries.find(asAda(), stillWaiting.id)).toBeDefined()
  })

  test('and its webhook do not exist for people of another workspace, and viewers change nothing', async () => {
    const delivery = await waiting()
    const { id, webhookId, projectId } = delivery
    expect(await at.stores.deliveries.find(asBob(), id)).toBeUndefined()
    expect(await list(projectId, asBob())).toEqual([])
    expect(await at.stores.webhooks.list(asBob(), projectId)).toEqual([])
    expect(await at.stores.webhooks.remove(asBob(), webhookId ?? '')).toBe(false)
    await expect(at.stores.deliveries.take(asViewer(), delivery, null)).rejects.toThrow(NotPermitted)
    await expect(at.stores.webhooks.remove(asViewer(), webhookId ?? '')).rejects.toThrow(NotPermitted)
    await at.stores.deliveries.giveUp(asViewer(), id, 'Not mine')
    expect(await isDue(id)).toBe(true)
  })
})

test('of two who change a webhook at once, neither undoes what the other did', async () => {
  const { id } = await createWebhook(await createPlace(), ['run.completed'])
  const mayCommit = Promise.withResolvers<void>()
  const isChanged = Promise.withResolvers<void>()
  const first = at.database.asCallerSql(asAda(), async (client) => {
    await client.query("UPDATE webhooks SET host = 'new.example.com' WHERE id = $1", [id])
    isChanged.resolve()
    await mayCommit.promise
  })
  await isChanged.promise
  const second = at.stores.webhooks.update(asAda(), id, { failingSince: new Date() })
  const waitingForLocks = async () => {
    const { rowCount } = await at.database.auth.query(
      'SELECT FROM pg_locks JOIN pg_stat_activity USING (pid) WHERE NOT granted AND datname = current_database()',
    )
    return rowCount
  }
  await expect.poll(waitingForLocks).toBe(1)
  mayCommit.resolve()
  await Promise.all([first, second])
  expect(await at.stores.webhooks.find(asAda(), id)).toMatchObject({
    host: 'new.example.com',
    failingSince: expect.any(Date),
  })
})

test('a badge is found by its token, and by its old one no more', async () => {
  const place = await createPlace()
  await at.stores.badges.set(asAda(), place, 'one')
  await at.stores.badges.set(asAda(), place, 'two')
  expect([await at.stores.badges.findPlace('one'), await at.stores.badges.findPlace('two')]).toEqual([
    undefined,
    place,
  ])
  expect(await at.stores.badges.find(asBob(), place.projectId)).toBeUndefined()
  await at.stores.badges.remove(asAda(), place)
  expect(await at.stores.badges.findPlace('two')).toBeUndefined()
})
