import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import path from 'node:path'
import { operations, type LiveAlertShape } from '@flamegate/contract'
import { slotOf, type LiveItem } from '@flamegate/live'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { platform, signUp, type Person } from './person.ts'

/** Programs that run are held against thresholds: alerts open, are told of, and end. */

interface Message {
  path: string
  type: string
  data: { alerts?: LiveAlertShape[]; alert?: LiveAlertShape }
}

let hooks: { url: string; received: Message[]; close(): void }
let owner: Person
let outsider: Person

beforeAll(async () => {
  hooks = await startHooks()
  owner = await signUp('Owner')
  outsider = await signUp('Outsider')
})
afterAll(() => hooks?.close())

async function startHooks() {
  const received: Message[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      received.push({ path: request.url ?? '', ...JSON.parse(Buffer.concat(pieces).toString()) })
      response.end('ok')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`,
    received,
    close: () => server.close().closeAllConnections(),
  }
}

/** A project with a live app, and a webhook of its own. */
async function watched(name: string) {
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name,
  })
  const { live_app: app, token } = await owner.client.call(operations.registerLiveApp, {
    project_id: project.id,
    name: 'shop',
  })
  const hook = `/${project.id}`
  await owner.client.call(operations.setWebhook, {
    project_id: project.id,
    target_url: hooks.url + hook,
    events: ['live_alert.opened', 'live_alert.resolved'],
  })
  return {
    projectId: project.id,
    appId: app.id,
    token,
    told: () =>
      hooks.received.flatMap(({ path: to, type, data: { alerts = [] } }) =>
        to === hook ? alerts.map((alert) => `${type} ${alert.type}`) : [],
      ),
    alerts: async (state: 'open' | 'resolved' | 'all' = 'open') => {
      const { alerts } = await owner.client.call(operations.listPerformanceAlerts, {
        project_id: project.id,
        kind: 'live_app',
        state,
      })
      return alerts.flatMap((alert) => (alert.kind === 'live_app' ? [alert] : []))
    },
  }
}

test('a Node.js program that is slow is told of, and told of again when it is not any more', async () => {
  const { projectId, appId, token, told, alerts } = await watched('Slow program')
  await owner.client.call(operations.setNotification, {
    workspace_id: owner.workspaceId,
    name: 'Team',
    channel: 'http',
    target_url: `${hooks.url}/team`,
    events: ['live_alert_opened', 'live_alert_resolved'],
    filter: { project_id: projectId },
  })
  const { thresholds } = await owner.client.call(operations.setAlertThresholds, {
    project_id: projectId,
    slow_response: { ms: 500, statistic: 'p50', functions: ['answer'], for_seconds: 5 },
    high_cpu: { percent: 100_000 },
    high_memory: { percent: 99 },
  })
  expect(thresholds).toMatchObject({ slow_response: { ms: 500, for_seconds: 5 }, high_error_rate: null })
  const program = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../../packages/profiler/samples/slow-program.ts')],
    {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: {
        ...process.env,
        FLAMEGATE_LIVE_URL: platform().url,
        FLAMEGATE_LIVE_APP: appId,
        FLAMEGATE_LIVE_TOKEN: token,
      },
    },
  )
  const ended = once(program, 'exit')
  try {
    program.stdin.write('slow')
    await expect
      .poll(() => alerts())
      .toMatchObject([{ type: 'slow_response', unit: 'ns', of: 'answer', limit: 500e6, until: null }])
    await expect.poll(told).toEqual(['live_alert.opened slow_response'])
    const { judged } = await owner.client.call(operations.getAlertThresholds, { project_id: projectId })
    // Which process it is, people are told as they know it.
    const of = expect.stringMatching(new RegExp(`^slow-program.* \\(.+, pid ${program.pid}\\)$`))
    expect(judged).toMatchObject([
      // The library tells how much of the processor and of the memory the process uses, and how much it may have.
      { type: 'high_cpu', state: 'calm', unit: 'percent', value: expect.any(Number), of, live_app_id: appId },
      { type: 'high_memory', state: 'calm', unit: 'percent', value: expect.any(Number), of },
      { type: 'slow_response', state: 'alerting', of: 'answer' },
    ])
    program.stdin.write('quick')
    await expect.poll(told).toEqual(['live_alert.opened slow_response', 'live_alert.resolved slow_response'])
    expect(await alerts()).toEqual([])
    const [alert] = await alerts('resolved')
    expect(alert).toMatchObject({ state: 'resolved', state_by: null, until: expect.any(String) })
    const team = () =>
      hooks.received.flatMap(({ path: to, type, data }) =>
        to === '/team' ? [`${type} ${data.alert?.type}`] : [],
      )
    await expect.poll(team).toEqual(['live_alert_opened slow_response', 'live_alert_resolved slow_response'])
  } finally {
    program.stdin.end()
    await ended
  }
})

/** So many calls of so many milliseconds, of which some failed, since the program began. */
const pay = (calls: readonly [ms: number, count: number][], failed: number): LiveItem => ({
  id: '1',
  name: 'pay',
  counters: { failed },
  distributions: {
    duration: {
      count: calls.reduce((sum, [, count]) => sum + count, 0),
      total: calls.reduce((sum, [ms, count]) => sum + ms * 1e6 * count, 0),
      histogram: {
        slots: calls.map(([ms]) => slotOf(ms * 1e6)),
        counts: calls.map(([, count]) => count),
      },
    },
  },
})

describe('by the clock of the program', () => {
  const startMs = Date.now() - 200_000

  async function push(
    app: { appId: string; token: string },
    sequence: number,
    second: number,
    item: LiveItem,
  ) {
    const response = await fetch(`${platform().url}/v1/live-apps/${app.appId}/pushes`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${app.token}` },
      body: JSON.stringify({
        session: 'session-1',
        sequence,
        at: startMs + second * 1000,
        program: { name: 'shop', source: 'profiler', started_at: startMs },
        sections: { functions_timing: { status: 'on', items: [item] } },
      }),
    })
    expect(response.status).toBe(200)
  }

  test('slow calls and failing ones open alerts that end, or that somebody ends; what is not told is said', async () => {
    const app = await watched('Slow')
    await owner.client.call(operations.setAlertThresholds, {
      project_id: app.projectId,
      high_cpu: { percent: 80 },
      slow_response: { ms: 100, statistic: 'p95', functions: ['pay'], for_seconds: 15 },
    })
    // The app has a threshold of its own, and is spared one of the project.
    const set = await owner.client.call(operations.setAlertThresholds, {
      project_id: app.projectId,
      live_app_id: app.appId,
      high_error_rate: { percent: 10, for_seconds: 0 },
    })
    expect(set.thresholds).toMatchObject({
      high_cpu: { percent: 80, for_seconds: 60 },
      high_memory: null,
      slow_response: { for_seconds: 15 },
      high_error_rate: { percent: 10 },
    })
    expect(set.judged).toEqual([])

    await push(app, 0, 0, pay([[10, 100]], 0))
    await push(app, 1, 10, pay([[10, 200]], 0))
    const { judged } = await owner.client.call(operations.getAlertThresholds, { project_id: app.projectId })
    expect(judged.map(({ type, state, is_own }) => [type, state, is_own])).toEqual([
      ['high_cpu', 'unjudged', false],
      ['slow_response', 'calm', false],
      ['high_error_rate', 'calm', true],
    ])
    expect(judged[0]?.reason).toContain('section threads')

    // Half of the calls fail and are slow. Errors are told at once, slowness when it lasted.
    const slow: [number, number] = [500, 50]
    await push(app, 2, 20, pay([[10, 250], slow], 50))
    await expect.poll(() => app.alerts()).toMatchObject([{ type: 'high_error_rate', value: 50, of: '' }])
    await push(
      app,
      3,
      30,
      pay(
        [
          [10, 300],
          [500, 100],
        ],
        100,
      ),
    )
    await expect
      .poll(() => app.alerts())
      .toMatchObject([{ type: 'slow_response', of: 'pay', limit: 100e6 }, { type: 'high_error_rate' }])
    const [slowAlert, errors] = await app.alerts()
    expect(slowAlert?.reason).toBe('p95 of pay is 503.3 ms, above 100 ms for 15 s.')
    expect(slowAlert?.since).toBe(new Date(startMs + 10_000).toISOString())

    const { alert } = await owner.client.call(operations.resolveAlert, {
      alert_id: errors?.id ?? '',
      action: 'resolve',
      reason: 'The bank is away.',
    })
    expect(alert).toMatchObject({ kind: 'live_app', state: 'resolved', state_by: owner.email })
    const muted = await owner.client.call(operations.resolveAlert, {
      alert_id: slowAlert?.id ?? '',
      action: 'mute',
    })
    expect(muted.alert).toMatchObject({ state: 'muted', until: null })

    await push(
      app,
      4,
      70,
      pay(
        [
          [10, 700],
          [500, 100],
        ],
        100,
      ),
    )
    await expect
      .poll(async () => (await app.alerts('all')).map(({ state, until }) => [state, until]))
      .toEqual([
        ['resolved', new Date(startMs + 30_000).toISOString()],
        ['resolved', new Date(startMs + 30_000).toISOString()],
      ])
    const [, ended] = await app.alerts('all')
    expect(ended?.state_reason).toBe('The bank is away.')
    await expect
      .poll(app.told)
      .toEqual(
        expect.arrayContaining([
          'live_alert.opened high_error_rate',
          'live_alert.opened slow_response',
          'live_alert.resolved high_error_rate',
          'live_alert.resolved slow_response',
        ]),
      )
    expect(app.told()).toHaveLength(4)

    // The same to those who read markdown, and nothing to others.
    const list = { project_id: app.projectId, state: 'all' as const }
    expect(
      (await owner.client.call(operations.listPerformanceAlerts, { ...list, limit: 1 })).next_cursor,
    ).not.toBe(null)
    await expect(outsider.client.call(operations.listPerformanceAlerts, list)).rejects.toMatchObject({
      code: 'project_not_found',
    })
    await expect(
      outsider.client.call(operations.resolveAlert, { alert_id: slowAlert?.id ?? '' }),
    ).rejects.toMatchObject({ code: 'alert_not_found' })
    await expect(
      outsider.client.call(operations.getAlertThresholds, {
        project_id: app.projectId,
        live_app_id: app.appId,
      }),
    ).rejects.toMatchObject({ code: 'project_not_found' })
  })

  test('an alert ends with its app, and with its threshold', async () => {
    const app = await watched('Ending')
    const set = (threshold: { percent: number; for_seconds: number } | null) =>
      owner.client.call(operations.setAlertThresholds, {
        project_id: app.projectId,
        high_error_rate: threshold,
      })
    await set({ percent: 10, for_seconds: 0 })
    await push(app, 0, 0, pay([[10, 100]], 0))
    await push(app, 1, 10, pay([[10, 200]], 100))
    await expect.poll(() => app.alerts()).toHaveLength(1)
    await set(null)
    const reasons = async () => (await app.alerts('resolved')).map(({ state_reason: reason }) => reason)
    await expect.poll(reasons).toEqual(['Its threshold is off.'])
    await set({ percent: 10, for_seconds: 0 })
    await expect.poll(() => app.alerts()).toHaveLength(1)
    await owner.client.call(operations.endLiveApp, { live_app_id: app.appId })
    await expect.poll(reasons).toEqual(['The app has ended.', 'Its threshold is off.'])
  })

  test('what makes no sense is refused, field by field', async () => {
    const { projectId } = await watched('Refusing')
    const other = await watched('Other')
    const set = (input: object) =>
      owner.client.call(operations.setAlertThresholds, { project_id: projectId, ...input })
    await expect(set({ high_memory: { for_seconds: 5 } })).rejects.toMatchObject({
      code: 'invalid_input',
      errors: [{ field: 'high_memory', message: 'Give bytes, or percent, or both.' }],
    })
    await expect(set({ high_cpu: { percent: -1 } })).rejects.toMatchObject({
      errors: [{ field: 'high_cpu.percent' }],
    })
    await expect(set({ slow_response: { ms: 5, functions: [] } })).rejects.toMatchObject({
      code: 'invalid_input',
    })
    await expect(set({ live_app_id: other.appId, high_cpu: null })).rejects.toMatchObject({
      code: 'live_app_not_found',
    })
  })
})
