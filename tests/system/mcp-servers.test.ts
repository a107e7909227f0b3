import { ApiProblem, createClient, type Client } from '@flamegate/client'
import { catalogue, operations, type InputOf } from '@flamegate/contract'
import type { McpReport } from '@flamegate/mcp-profiling'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  histogramOfMs,
  madeOperation,
  madeReport,
  spread,
} from '../../packages/mcp-profiling/src/testing/made-report.ts'
import { callAndConfirm } from './calls.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'

/** MCP servers on the platform: orders, reports, questions about them, monitors and alerts. The collector is played by the test. */

let owner: Person
let projectId: string
/** As a collector or CI has it: it may upload, and nothing else. */
let uploader: Client

beforeAll(async () => {
  owner = await signUp('Profiler')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'MCP servers',
  })
  projectId = project.id
  uploader = createClient({ baseUrl: platform().url, token: await apiToken(owner, ['upload']) })
})

/** A report of the server `name` whose one tool takes so long, in blocks that hardly differ. */
function reportOf(name: string, middleMs: number, startedAt: string, changes: Partial<McpReport> = {}) {
  const made = madeReport()
  const blockMeansMs = Array.from({ length: 40 }, (_, at) => middleMs * (1 + 0.002 * Math.sin(7 * at)))
  const latency = histogramOfMs(spread(middleMs, 400))
  return {
    ...made,
    startedAt,
    target: { ...made.target, name, url: `http://127.0.0.1:3000/${name}` },
    operations: [madeOperation({ latency, blockMeansMs })],
    ...changes,
  }
}

const upload = (report: McpReport, more: Partial<InputOf<typeof operations.uploadMcpReport>> = {}) =>
  uploader.call(operations.uploadMcpReport, { project_id: projectId, report, ...more })

const connect = (servers: string[], captures: string[] = []) =>
  uploader.call(operations.connectCollector, {
    project_id: projectId,
    name: 'staging',
    version: '0.1.0',
    captures: captures.map((name) => ({
      name,
      kind: 'pprof' as const,
      types: ['cpu' as const],
      seconds_max: 60,
    })),
    mcp_servers: servers.map((name) => ({
      name,
      transport: 'stdio' as const,
      commands: ['profile' as const, 'load-test' as const, 'start' as const],
      operations: ['look_up'],
      seconds_max: 60,
      rps_max: 50,
      concurrent_max: 8,
      settings: [],
    })),
  })

const next = async (collectorId: string) =>
  uploader.call(operations.awaitCapture, { collector_id: collectorId, wait_seconds: 0 })

async function problemOf(call: Promise<unknown>): Promise<{ code: string; fields: string[] }> {
  try {
    await call
  } catch (error) {
    if (error instanceof ApiProblem) {
      return { code: error.code, fields: error.errors.map(({ field }) => field) }
    }
    throw error
  }
  throw new Error('It was not refused')
}

describe('reports that are uploaded', () => {
  test('make a target once, and answer questions over MCP as over REST', async () => {
    const first = await upload(reportOf('shop', 10, '2026-11-20T10:00:00Z'), { label: 'v1' })
    expect(first).toMatchObject({ is_new_target: true, mcp_session: { target: 'shop', state: 'SUCCESS' } })
    const { mcp_target_id: id } = first.mcp_session
    const second = await upload(reportOf('shop', 20, '2026-11-21T10:00:00Z'), { label: 'v2' })
    expect(second).toMatchObject({ is_new_target: false, mcp_session: { mcp_target_id: id } })

    const metrics = await owner.client.call(operations.getMcpMetrics, { mcp_target_id: id })
    expect(metrics.session).toMatchObject({ label: 'v2', origin: 'uploaded' })
    expect(metrics.operations).toMatchObject([{ name: 'look_up', calls: 400, failed: 0, result_tokens: 220 }])
    expect(metrics.operations[0]?.p50_ms).toBeCloseTo(20, 0)
    expect(metrics.trend.map(({ label }) => label)).toEqual(['v2', 'v1'])
    expect(metrics.resources).toMatchObject({ rss_bytes: { max: 80_040_000 } })

    const compared = await owner.client.call(operations.compareMcpSessions, {
      mcp_target_id: id,
      base: 'v1',
    })
    expect(compared).toMatchObject({ verdict: 'slower', base: { label: 'v1' }, head: { label: 'v2' } })
    expect(compared.regressions.join()).toMatch(/look_up: mean_ms/)
    expect(await owner.client.call(operations.compareMcpSessions, { mcp_target_id: id })).toMatchObject({
      base: { label: 'v1' },
    })

    const leaking = reportOf('shop', 10, '2026-11-22T10:00:00Z', {
      operations: [madeOperation({ latency: histogramOfMs(spread(1500, 400)) })],
    })
    await upload(leaking)
    const diagnosis = await owner.client.call(operations.diagnoseMcpServer, {
      mcp_target_id: id,
      about: 'slow_response',
    })
    expect(diagnosis.findings).toMatchObject([{ rule: 'slow_operation', subject: 'look_up' }])
    expect(diagnosis.plan[0]).toMatchObject({ step: 1, because: 'slow_operation: look_up' })
    const { mcp_session: session } = await upload(leaking)
    const whole = await owner.client.call(operations.getMcpSession, { mcp_session_id: session.id })
    expect(whole.report).toEqual({ ...leaking })

    const operation = catalogue.find((each) => each.id === 'diagnose_mcp_server')
    if (operation === undefined) throw new Error('There is no such operation')
    const told = await callAndConfirm(operation, { mcp_target_id: id }, { cookie: owner.cookie })
    // Cookies are nothing over MCP.
    expect(told.status).toBe(401)
    const token = await apiToken(owner, ['read'])
    const tool = await callAndConfirm(operation, { mcp_target_id: id }, { token })
    expect(tool.text).toContain('slow_operation')
    const usage = await owner.client.call(operations.getUsage, { workspace_id: owner.workspaceId })
    expect(usage.usage.mcp_report_bytes).toBeGreaterThan(1000)
  })

  test('are refused with the field that is wrong', async () => {
    const { load, ...without } = reportOf('refused', 10, '2026-11-20T10:00:00Z')
    expect(load).not.toBeNull()
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is none
    expect(await problemOf(upload(without as McpReport))).toEqual({
      code: 'invalid_input',
      fields: ['report.load'],
    })
    const named = reportOf('refused', 10, '2026-11-20T10:00:00Z', {
      profiles: [{ kind: 'cpu', path: 'a', profileId: 'prf_none' }],
    })
    expect(await problemOf(upload(named))).toEqual({ code: 'profile_not_found', fields: ['report.profiles'] })
    const [of = madeOperation()] = reportOf('refused', 10, '2026-11-20T10:00:00Z').operations
    const crooked = reportOf('refused', 10, '2026-11-20T10:00:00Z', {
      operations: [{ ...of, latency: { slots: [4, 2], counts: [1] } }],
    })
    expect(await problemOf(upload(crooked))).toMatchObject({ fields: ['report.operations.0'] })
    const { mcp_targets: targets } = await owner.client.call(operations.listMcpTargets, {
      project_id: projectId,
    })
    expect(targets.map(({ name }) => name)).not.toContain('refused')
  })
})

describe('orders', () => {
  test('without a collector are commands for a person', async () => {
    const { mcp_target: target } = await owner.client.call(operations.registerMcpTarget, {
      project_id: projectId,
      name: 'local',
      address: 'node server.js --quiet',
      operations: ['look_up'],
      arguments: { look_up: { id: 7 } },
    })
    expect(target).toMatchObject({ transport: 'stdio', collectors: [] })
    const asked = await owner.client.call(operations.loadTestMcpServer, {
      mcp_target_id: target.id,
      rps: 100,
      seconds: 300,
      ramp_up_seconds: 30,
    })
    expect(asked).toMatchObject({ session: null, task_id: null })
    expect(asked.commands[0]?.command).toBe(
      `mcp-profiler load-test --operations look_up --arguments '{"look_up":{"id":7}}' --duration 300s --rps 100 --ramp-up 30s --project ${projectId} -- node server.js --quiet`,
    )
    const monitored = await owner.client.call(operations.monitorMcpServer, { mcp_target_id: target.id })
    expect(monitored.commands[0]?.command).toContain(
      'mcp-profiler continuous --interval=300s --retention=24h',
    )
    const wrong = (input: Partial<InputOf<typeof operations.loadTestMcpServer>>) =>
      problemOf(owner.client.call(operations.loadTestMcpServer, { mcp_target_id: target.id, ...input }))
    expect(await wrong({ rps: 5, concurrent: [2] })).toMatchObject({ fields: ['concurrent'] })
    expect(await wrong({ ramp_up_seconds: 5 })).toMatchObject({ fields: ['ramp_up_seconds'] })
    // Uploaded, such a report finds its target by the command.
    const report = reportOf('node server.js', 10, '2026-11-20T10:00:00Z')
    const found = await upload({
      ...report,
      target: { ...report.target, transport: 'stdio', url: null, command: ['node', 'server.js', '--quiet'] },
    })
    expect(found).toMatchObject({ is_new_target: false, mcp_session: { mcp_target_id: target.id } })
  })

  test('are carried out by a collector, once, and reported', async () => {
    const { mcp_target: target } = await owner.client.call(operations.registerMcpTarget, {
      project_id: projectId,
      name: 'remote',
    })
    const { collector_id: collectorId } = await connect(['remote'])
    const order = (input: Partial<InputOf<typeof operations.loadTestMcpServer>>) =>
      owner.client.call(operations.loadTestMcpServer, { mcp_target_id: target.id, ...input })
    expect(await problemOf(order({ rps: 51 }))).toEqual({ code: 'invalid_input', fields: ['rps'] })
    expect(await problemOf(order({ operations: ['remove'] }))).toMatchObject({ fields: ['operations'] })
    // What the collector does not measure is for a person.
    const capacity = await owner.client.call(operations.planMcpCapacity, {
      mcp_target_id: target.id,
      max_latency_ms: 100,
    })
    expect(capacity).toMatchObject({ session: null, notes: [expect.stringContaining('not by capacity')] })
    expect(capacity.commands[0]?.command).toContain('--max-latency 100ms --mcp remote')

    const { session, task_id: taskId } = await order({ concurrent: [4], seconds: 10, label: 'v3' })
    expect(session).toMatchObject({ state: 'PENDING', collector: 'staging', label: 'v3' })
    const { capture, mcp_session: handed } = await next(collectorId)
    expect([capture, handed]).toMatchObject([
      null,
      {
        mcp_session_id: session?.id,
        task_id: taskId,
        server: 'remote',
        measurement: { command: 'load-test', concurrent: [4], seconds: 10, label: 'v3' },
      },
    ])
    const report = (input: Partial<InputOf<typeof operations.reportMcpSession>>) =>
      uploader.call(operations.reportMcpSession, {
        mcp_session_id: session?.id ?? '',
        state: 'going_on',
        ...input,
      })
    expect(await report({ state: 'started', message: 'load-test' })).toMatchObject({
      goes_on: true,
      status: 'RUNNING',
    })
    expect(await report({ state: 'started' })).toMatchObject({ goes_on: false })
    expect((await next(collectorId)).mcp_session).toBeNull()
    expect(await problemOf(report({ state: 'done' }))).toMatchObject({ fields: ['report'] })
    expect(
      await report({ state: 'done', report: reportOf('any', 10, new Date().toISOString()) }),
    ).toMatchObject({ status: 'SUCCESS' })
    const { task, page } = await owner.client.call(operations.getTaskResult, { task_id: taskId ?? '' })
    expect(task).toMatchObject({ status: 'SUCCESS', result: { mcp_session_id: session?.id, findings: 0 } })
    expect(page).toBe(`/mcp-sessions/${session?.id}`)
    const { mcp_targets: targets } = await owner.client.call(operations.listMcpTargets, {
      project_id: projectId,
    })
    expect(targets.find(({ id }) => id === target.id)).toMatchObject({
      collectors: ['staging'],
      sessions: 1,
      last_session: { id: session?.id, command: 'load-test' },
    })
  })

  test('that are called off end, and a collector of before hears of captures alone', async () => {
    const { mcp_target: target } = await owner.client.call(operations.registerMcpTarget, {
      project_id: projectId,
      name: 'cancelled',
    })
    const { collector_id: collectorId } = await connect(['cancelled'], ['program'])
    const { session, task_id: taskId } = await owner.client.call(operations.profileMcpServer, {
      mcp_target_id: target.id,
    })
    const captured = await owner.client.call(operations.captureProfile, {
      project_id: projectId,
      capture: 'program',
    })
    expect(await next(collectorId)).toMatchObject({ capture: { name: 'program' }, mcp_session: null })
    for (const each of [captured.task_id, taskId]) {
      await owner.client.call(operations.cancelTask, { task_id: each ?? '' })
    }
    expect(
      await uploader.call(operations.reportMcpSession, {
        mcp_session_id: session?.id ?? '',
        state: 'started',
      }),
    ).toMatchObject({ goes_on: false, status: 'CANCELLED' })
    await connect([])
    expect((await next(collectorId)).mcp_session).toBeNull()
    const asked = await owner.client.call(operations.profileMcpServer, { mcp_target_id: target.id })
    expect(asked.session).toBeNull()
  })

  test('of a monitor are made when the collector says that it is there', async () => {
    const { mcp_target: target } = await owner.client.call(operations.registerMcpTarget, {
      project_id: projectId,
      name: 'monitored',
    })
    await owner.client.call(operations.monitorMcpServer, {
      mcp_target_id: target.id,
      interval_seconds: 60,
      retention_hours: 2,
      seconds: 5,
    })
    const { collector_id: collectorId } = await connect(['monitored'])
    await connect(['monitored'])
    const { mcp_sessions: sessions } = await owner.client.call(operations.listMcpSessions, {
      project_id: projectId,
      mcp_target_id: target.id,
    })
    expect(sessions).toMatchObject([
      { origin: 'monitor', measurement: { command: 'start', seconds: 5, rps: 2 } },
    ])
    const [session] = sessions
    expect(Date.parse(session?.expires_at ?? '') - Date.parse(session?.created_at ?? '')).toBeGreaterThan(
      7_190_000,
    )
    expect((await next(collectorId)).mcp_session?.server).toBe('monitored')
  })
})

test('alerts open with a session beyond a threshold, and end with one that is well below it', async () => {
  const { mcp_session: calm } = await upload(reportOf('alerted', 10, '2026-11-20T10:00:00Z'))
  const id = calm.mcp_target_id
  const set = await owner.client.call(operations.setAlertThresholds, {
    project_id: projectId,
    mcp_target_id: id,
    slow_response: { ms: 100 },
    high_memory: { bytes: 1e12 },
  })
  expect(set).toMatchObject({ target: 'mcp_target', mcp_target_id: id, judged: [] })
  expect(set.thresholds.slow_response).toMatchObject({ ms: 100, for_seconds: 0 })
  expect(set.mcp_targets.map(({ type, state }) => [type, state])).toEqual([
    ['high_memory', 'calm'],
    ['slow_response', 'calm'],
  ])
  const alerts = async (state: 'open' | 'resolved' = 'open') => {
    const listed = await owner.client.call(operations.listPerformanceAlerts, {
      project_id: projectId,
      mcp_target_id: id,
      state,
    })
    return listed.alerts
  }
  expect(await alerts()).toEqual([])
  const { mcp_session: slow } = await upload(reportOf('alerted', 200, '2026-11-20T11:00:00Z'))
  await upload(reportOf('alerted', 210, '2026-11-20T12:00:00Z'))
  // Of before: it changes nothing.
  await upload(reportOf('alerted', 1, '2026-11-19T12:00:00Z'))
  const [alert, ...others] = await alerts()
  expect(others).toEqual([])
  expect(alert).toMatchObject({
    kind: 'mcp_target',
    name: 'alerted',
    mcp_session_id: slow.id,
    type: 'slow_response',
    of: 'look_up',
    limit: 1e8,
    until: null,
  })
  expect(alert?.reason).toMatch(/^p95 of look_up is 2\d\d\S* ms, above 100 ms\.$/)
  const acknowledged = await owner.client.call(operations.resolveAlert, {
    alert_id: alert?.id ?? '',
    action: 'acknowledge',
  })
  expect(acknowledged.alert.state).toBe('acknowledged')
  await upload(reportOf('alerted', 60, '2026-11-20T13:00:00Z'))
  expect(await alerts('resolved')).toMatchObject([
    { id: alert?.id, until: expect.any(String), state_reason: expect.stringContaining('well below 100 ms') },
  ])
})

test('a target goes with its sessions', async () => {
  const { mcp_session: session } = await upload(reportOf('leaving', 10, '2026-11-20T10:00:00Z'))
  await owner.client.call(operations.deleteMcpTarget, { mcp_target_id: session.mcp_target_id })
  expect(
    await problemOf(owner.client.call(operations.getMcpSession, { mcp_session_id: session.id })),
  ).toMatchObject({ code: 'mcp_session_not_found' })
})
