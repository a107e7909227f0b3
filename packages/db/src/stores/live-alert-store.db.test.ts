import { newId } from '@flamegate/contract'
import { livePush, type LiveItem } from '@flamegate/live'
import { NotPermitted, type LiveApp, type NewLiveAlert } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { findLiveAppsToJudge } from '../live-apps-to-judge.ts'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, asAda, asBob, asViewer, createProject } = preparePeople({ roleOfAda: 'member' })

const store = () => at.stores.liveAlerts

const createApp = async () => appIn(await createProject(), 'shop')

async function appIn(projectId: string, name: string): Promise<LiveApp> {
  const place = { workspaceId: ada.workspaceId, projectId }
  const app = await at.stores.live.register(asAda(), { id: newId('liveApp'), ...place, name }, 100)
  if (app === undefined) throw new Error('There are too many')
  return app
}

const push = (
  app: LiveApp,
  sequence: number,
  agoSeconds: number,
  rest: { session?: string; items?: LiveItem[] } = {},
) =>
  at.stores.live.push(
    asAda(),
    app,
    livePush.parse({
      session: rest.session ?? 'session-1',
      sequence,
      at: Date.now() - agoSeconds * 1000,
      sections: {
        threads: { status: 'on', items: rest.items ?? [{ id: 'process', name: `push ${sequence}` }] },
      },
    }),
  )

const high: NewLiveAlert = {
  type: 'high_cpu',
  subject: 'session-1',
  unit: 'percent',
  value: 95,
  crossedLimit: 80,
  forSeconds: 60,
  reason: 'Busy.',
  since: new Date(Date.now() - 60_000),
}
const nothing = { streaks: {}, opened: [], closed: [] }

const placeOf = ({ workspaceId, projectId }: LiveApp) => ({
  workspaceId,
  projectId,
  targetKind: 'live_app' as const,
})

async function openAlert(app: LiveApp): Promise<string> {
  await store().note(asAda(), app, { ...nothing, opened: [high] })
  const [alert] = await store().list(asAda(), app.projectId, { limit: 1 }, {})
  return alert?.id ?? ''
}

describe('thresholds', () => {
  test('are kept type by type, of a project and of its apps; a reset forgets', async () => {
    const app = await createApp()
    const cpu = { high_cpu: { percent: 80, for_seconds: 60 } }
    const set = (targetId: string | null, thresholds: object, isReset = false) =>
      store().setThresholds(asAda(), { ...placeOf(app), targetId, thresholds, isReset })
    const kept = async () =>
      (await store().listThresholds(asAda(), app.projectId)).map((each) => [each.targetId, each.thresholds])
    await set(null, cpu)
    await set(null, { high_memory: { bytes: 1, for_seconds: 0 } })
    await set(app.id, { high_cpu: null })
    expect(await kept()).toEqual([
      [null, { ...cpu, high_memory: { bytes: 1, for_seconds: 0 } }],
      [app.id, { high_cpu: null }],
    ])
    await set(null, cpu, true)
    await set(app.id, {}, true)
    expect(await kept()).toEqual([[null, cpu]])
  })

  test('are set by members, and there for nobody else', async () => {
    const app = await createApp()
    const change = { ...placeOf(app), targetId: null, thresholds: { high_cpu: null }, isReset: false }
    await store().setThresholds(asAda(), change)
    await expect(store().setThresholds(asViewer(), change)).rejects.toThrow(NotPermitted)
    await expect(store().setThresholds(asBob(), change)).rejects.toThrow(NotPermitted)
    expect(await store().listThresholds(asBob(), app.projectId)).toEqual([])
  })
})

describe('an alert', () => {
  test('is opened once, lasts until it is closed, and may come again then', async () => {
    const app = await createApp()
    const id = await openAlert(app)
    expect(await openAlert(app)).toBe(id)
    expect(await store().find(asAda(), id)).toMatchObject({
      ...high,
      targetName: 'shop',
      state: 'open',
      until: null,
    })
    expect(await store().listLasting(asAda(), app.projectId)).toEqual([
      { targetId: app.id, type: 'high_cpu' },
    ])
    const until = new Date()
    await store().note(asAda(), app, { ...nothing, closed: [{ id, until, reason: 'Calm.' }] })
    expect(await store().find(asAda(), id)).toMatchObject({ state: 'resolved', until, stateReason: 'Calm.' })
    expect(await store().listLasting(asAda(), app.projectId)).toEqual([])
    expect(await openAlert(app)).not.toBe(id)
  })

  test('is told of when it opens and when it is over, to webhooks and to notifications of its project', async () => {
    const app = await createApp()
    const webhook = await at.stores.webhooks.create(asOwner(), {
      id: newId('webhook'),
      ...placeOf(app),
      host: 'example.com',
      sealedUrl: 'sealed address',
      events: ['live_alert.opened', 'live_alert.resolved'],
      isActive: true,
      sealedSecret: '',
    })
    const notify = (projectId: string | null) =>
      at.stores.notifications.create(asOwner(), {
        id: newId('notification'),
        workspaceId: ada.workspaceId,
        name: newId('notification'),
        channel: 'email',
        target: { addresses: [] },
        sealedSecret: null,
        sealedUrl: null,
        events: ['live_alert_opened', 'live_alert_resolved'],
        filter: { scenario_name: null, duration_ms_min: null, users_min: 100, project_id: projectId },
        isActive: true,
      })
    const [all, own, others] = [
      await notify(null),
      await notify(app.projectId),
      await notify((await createApp()).projectId),
    ]
    const told = async (of: Parameters<typeof at.stores.deliveries.list>[1]) =>
      (await at.stores.deliveries.list(asOwner(), of, { limit: 9 })).map(({ event }) => event).toReversed()
    const id = await openAlert(app)
    // With the call of somebody who is held to the project, and sees no notifications.
    const usual = asAda()
    const inProject = { ...usual, principal: { ...usual.principal, projectId: app.projectId } }
    await store().note(inProject, app, { ...nothing, closed: [{ id, until: new Date(), reason: '' }] })
    expect(await told({ projectId: app.projectId, webhookId: webhook.id })).toEqual([
      'live_alert.opened',
      'live_alert.resolved',
    ])
    for (const { id: notificationId } of [all, own])
      // oxlint-disable-next-line no-await-in-loop -- two
      expect(await told({ notificationId })).toEqual(['live_alert_opened', 'live_alert_resolved'])
    expect(await told({ notificationId: others.id })).toEqual([])
  })

  test('that somebody resolved stays theirs when it is over', async () => {
    const app = await createApp()
    const id = await openAlert(app)
    await store().changeState(asAda(), id, { state: 'resolved', reason: 'A test of load.' })
    // It lasts: nothing new is opened by the same.
    expect(await openAlert(app)).toBe(id)
    await store().note(asAda(), app, { ...nothing, closed: [{ id, until: new Date(), reason: 'Calm.' }] })
    expect(await store().find(asAda(), id)).toMatchObject({
      state: 'resolved',
      stateReason: 'A test of load.',
      stateBy: expect.stringContaining('ada'),
      until: expect.any(Date),
    })
  })

  test('that several resolve at once is told of once', async () => {
    const app = await createApp()
    const { id: notificationId } = await at.stores.notifications.create(asOwner(), {
      id: newId('notification'),
      workspaceId: ada.workspaceId,
      name: newId('notification'),
      channel: 'email',
      target: { addresses: [] },
      sealedSecret: null,
      sealedUrl: null,
      events: ['live_alert_resolved'],
      filter: { scenario_name: null, duration_ms_min: null, users_min: null, project_id: app.projectId },
      isActive: true,
    })
    const id = await openAlert(app)
    const resolve = () => store().changeState(asAda(), id, { state: 'resolved', reason: 'Known.' })
    const close = () =>
      store().note(asAda(), app, { ...nothing, closed: [{ id, until: new Date(), reason: 'Calm.' }] })
    await Promise.all([resolve(), close(), resolve(), resolve()])
    const told = await at.stores.deliveries.list(asOwner(), { notificationId }, { limit: 9 })
    expect(told.map(({ event }) => event)).toEqual(['live_alert_resolved'])
  })

  test('is muted for a while, and is open after that', async () => {
    const app = await createApp()
    const id = await openAlert(app)
    const mute = (mutedUntil: Date) =>
      store().changeState(asAda(), id, { state: 'muted', reason: '', mutedUntil })
    expect(await mute(new Date(Date.now() + 60_000))).toMatchObject({ state: 'muted' })
    const list = (state: 'open' | 'muted') => store().list(asAda(), app.projectId, { limit: 5 }, { state })
    expect([(await list('open')).length, (await list('muted')).length]).toEqual([0, 1])
    expect(await mute(new Date(Date.now() - 60_000))).toMatchObject({ state: 'open' })
    expect([(await list('open')).length, (await list('muted')).length]).toEqual([1, 0])
  })

  test('of another workspace is not there, and viewers change nothing', async () => {
    const app = await createApp()
    const id = await openAlert(app)
    const change = { state: 'resolved', reason: '' } as const
    expect(await store().find(asBob(), id)).toBeUndefined()
    expect(await store().changeState(asBob(), id, change)).toBeUndefined()
    expect(await store().list(asBob(), app.projectId, { limit: 5 }, {})).toEqual([])
    expect(await store().listLasting(asBob(), app.projectId)).toEqual([])
    await expect(store().changeState(asViewer(), id, change)).rejects.toThrow(NotPermitted)
    await expect(store().note(asBob(), app, { ...nothing, opened: [high] })).rejects.toThrow(NotPermitted)
    await expect(store().take(asBob(), app)).rejects.toThrow(NotPermitted)
    expect(await store().find(asAda(), id)).toMatchObject({ state: 'open' })
  })
})

describe('judging', () => {
  test('is by one worker at a time, and goes on from what was noted', async () => {
    const app = await createApp()
    const streak = { side: 'over' as const, sinceMs: 1, toMs: 2 }
    expect(await store().take(asAda(), app)).toMatchObject({ app: { id: app.id }, isOff: false, streaks: {} })
    expect(await store().take(asAda(), app)).toBeUndefined()
    await store().note(asAda(), app, { ...nothing, streaks: { high_cpu: streak }, opened: [high] })
    await at.admin.query("UPDATE live_alert_watches SET judged_at = judged_at - interval '1 minute'")
    expect(await store().take(asAda(), app)).toMatchObject({
      streaks: { high_cpu: streak },
      lasting: [{ type: 'high_cpu' }],
    })
  })

  test('looks for apps that push and have thresholds, and for those with an alert that lasts', async () => {
    const app = await createApp()
    const isDue = async ({ id }: LiveApp) =>
      (await findLiveAppsToJudge(at.database)).some((each) => each.id === id)
    await push(app, 0, 0)
    expect(await isDue(app)).toBe(false)
    const sibling = await appIn(app.projectId, 'sibling')
    await push(sibling, 0, 0)
    await store().setThresholds(asAda(), {
      ...placeOf(app),
      targetId: app.id,
      thresholds: { high_cpu: { percent: 80, for_seconds: 60 } },
      isReset: false,
    })
    expect([await isDue(app), await isDue(sibling)]).toEqual([true, false])
    await at.stores.live.end(asAda(), app.id)
    expect(await isDue(app)).toBe(false)
    await openAlert(app)
    expect(await isDue(app)).toBe(true)
  })

  test('reads of each process its last snapshot, and the one ten seconds before', async () => {
    const app = await createApp()
    // One pushes every five seconds, one every minute, one is gone, and one is new.
    for (const [sequence, ago] of [40, 35, 30, 25, 20, 15].entries())
      // oxlint-disable-next-line no-await-in-loop -- in order
      await push(app, sequence, ago)
    await push(app, 0, 80, { session: 'every-minute' })
    await push(app, 1, 20, { session: 'every-minute' })
    await push(app, 0, 200, { session: 'long-gone' })
    await push(app, 0, 16, { session: 'quite-new' })
    const told = await store().told(asAda(), app, ['threads', 'server'])
    const shown = told.map(({ section, last, before }) => [
      last.session,
      section,
      last.items[0]?.name,
      before?.items[0]?.name,
    ])
    expect(shown.toSorted((a, b) => (String(a) < String(b) ? -1 : 1))).toEqual([
      ['every-minute', 'threads', 'push 1', 'push 0'],
      ['quite-new', 'threads', 'push 0', undefined],
      ['session-1', 'threads', 'push 5', 'push 3'],
    ])
    expect(await store().told(asBob(), app, ['threads'])).toEqual([])
  })
})

function asOwner() {
  return testCaller(ada.userId, { [ada.workspaceId]: 'owner' }, 'write')
}
