import { newId, type McpFigures } from '@flamegate/contract'
import {
  Conflict,
  NotPermitted,
  OwnerGone,
  type McpReported,
  type McpTarget,
} from '@flamegate/operations/ports'
import { expect, test } from 'vitest'
import { findExpiredMcpSessions } from '../find-expired.ts'
import { prepareProject } from '../testing.ts'

const { at, ada, projectId, place, asAda, asBob, asViewer } = prepareProject({ roleOfAda: 'member' })

const mcp = () => at.stores.mcp
const unbounded = {
  targetsOfProjectMax: Infinity,
  sessionsOfTargetMax: Infinity,
  bytesOfWorkspaceMax: Infinity,
}

const figures: McpFigures = {
  duration_ms: 1000,
  calls: 10,
  requests_per_second: 10,
  peak_requests_per_second: 10,
  error_rate: 0,
  mean_ms: 5,
  p50_ms: 5,
  p95_ms: 6,
  p99_ms: 7,
  cpu_percent: null,
  rss_bytes_max: null,
  gc_share: null,
  tools_list_tokens: null,
  score: 100,
  findings: 0,
}
const reported = (startedAt: Date): McpReported => ({
  report: { of: startedAt.toISOString(), text: 'null \u0000 character' },
  result: null,
  startedAt,
  serverVersion: '1.0.0',
  figures,
  profileIds: [],
})

async function target(name: string, change: Partial<McpTarget> = {}): Promise<McpTarget> {
  const added = await mcp().addTarget(
    asAda(),
    {
      id: newId('mcpTarget'),
      workspaceId: ada.workspaceId,
      projectId,
      name,
      address: null,
      transport: 'stdio',
      operations: ['look_up'],
      arguments: { look_up: { id: 7 } },
      note: '',
      ...change,
    },
    unbounded,
  )
  if (added === undefined) throw new Error('There are too many')
  return added
}

function upload(
  of: McpTarget,
  startedAt: Date,
  {
    bounds = unbounded,
    caller = asAda(),
    expiresAt = null as Date | null,
    label = null as string | null,
  } = {},
) {
  const id = newId('mcpSession')
  const { id: mcpTargetId, workspaceId } = of
  const session = { id, workspaceId, projectId, mcpTargetId, command: 'load-test', label, expiresAt }
  return mcp()
    .addSession(caller, session, reported(startedAt), bounds)
    .then((refusal) => refusal ?? { id })
}

/** An order of a session, whose task waits. */
async function order(of: McpTarget, collectorId: string, origin: 'ordered' | 'monitor' = 'ordered') {
  const [id, taskId] = [newId('mcpSession'), newId('task')]
  await at.stores.tasks.create(asAda(), {
    ...place,
    id: taskId,
    kind: 'measure_mcp_server',
    message: 'waits',
    result: null,
  })
  await mcp().order(
    asAda(),
    {
      ...place,
      id,
      taskId,
      mcpTargetId: of.id,
      label: null,
      origin,
      expiresAt: null,
      measurement: { command: 'profile', seconds: 5 },
      collectorId,
      collector: 'staging',
    },
    unbounded,
  )
  return { id, taskId }
}

test('a target is found by its name, else by its address, and has each name once', async () => {
  const notes = await target('notes', { address: 'http://localhost:3000/mcp', transport: 'streamable_http' })
  expect(notes).toMatchObject({ operations: ['look_up'], arguments: { look_up: { id: 7 } }, monitor: null })
  await expect(target('notes')).rejects.toThrow(Conflict)
  const find = async (name: string, address: string | null) =>
    (await mcp().findTargetNamed(asAda(), projectId, { name, address }))?.id
  expect(await find('notes', null)).toBe(notes.id)
  expect(await find('other', 'http://localhost:3000/mcp')).toBe(notes.id)
  expect(await find('other', null)).toBeUndefined()
  await mcp().updateTarget(asAda(), notes.id, { name: 'renamed', note: 'of the shop' })
  expect(await mcp().findTarget(asAda(), notes.id)).toMatchObject({ name: 'renamed', note: 'of the shop' })
  const full = { ...unbounded, targetsOfProjectMax: 1 }
  const { monitor: _m, monitorNextAt: _n, createdAt: _c, updatedAt: _u, ...rest } = notes
  const another = { ...rest, id: newId('mcpTarget'), name: 'another' }
  expect(await mcp().addTarget(asAda(), another, full)).toBeUndefined()
})

test('a target of a project that was deleted meanwhile is refused as that', async () => {
  await expect(target('orphan', { projectId: newId('project') })).rejects.toBeInstanceOf(OwnerGone)
})

test('nobody else sees or changes any of it', async () => {
  const own = await target('own')
  const session = await upload(own, new Date(0))
  if (!('id' in session)) throw new Error('It was refused')
  expect(await mcp().listTargets(asBob(), projectId)).toEqual([])
  expect(await mcp().findSession(asBob(), session.id)).toBeUndefined()
  expect(await mcp().report(asBob(), session.id)).toBeUndefined()
  expect(await mcp().findTarget(asViewer(), own.id)).toBeDefined()
  await expect(mcp().removeTarget(asViewer(), own.id)).rejects.toThrow(NotPermitted)
  await expect(upload(own, new Date(0), { caller: asViewer() })).rejects.toThrow(NotPermitted)
})

test('reports are kept within bounds, and sessions listed by when they were measured', async () => {
  const measured = await target('measured')
  const [early, late] = [new Date('2026-11-20T10:00:00Z'), new Date('2026-11-21T10:00:00Z')]
  const second = await upload(measured, late, { label: 'v2' })
  const first = await upload(measured, early)
  if (!('id' in first && 'id' in second)) throw new Error('It was refused')
  const reportedIds = async (filter: object) =>
    (await mcp().reported(asAda(), measured.id, { limit: 10, ...filter })).map(({ id }) => id)
  expect(await reportedIds({})).toEqual([second.id, first.id])
  expect(await reportedIds({ label: 'v2' })).toEqual([second.id])
  expect(await reportedIds({ before: late })).toEqual([first.id])
  expect(await reportedIds({ command: 'cpu' })).toEqual([])
  expect(await mcp().report(asAda(), first.id)).toEqual(reportedLeft(early))
  expect(await mcp().findTarget(asAda(), measured.id)).toMatchObject({ sessions: 2, last: { id: second.id } })
  expect(await upload(measured, late, { bounds: { ...unbounded, sessionsOfTargetMax: 2 } })).toEqual({
    refused: 'too_many_sessions',
  })
  expect(await upload(measured, late, { bounds: { ...unbounded, bytesOfWorkspaceMax: 10 } })).toMatchObject({
    refused: 'too_large',
  })
  expect(await reportedIds({})).toHaveLength(2)
  const before = await mcp().countBytes(asAda(), ada.workspaceId)
  expect(await mcp().removeSession(asAda(), first.id)).toBe(true)
  expect(await mcp().countBytes(asAda(), ada.workspaceId)).toBeLessThan(before)
  await mcp().removeTarget(asAda(), measured.id)
  expect(await mcp().findSession(asAda(), second.id)).toBeUndefined()
})

const reportedLeft = (startedAt: Date) => {
  const { report, result } = reported(startedAt)
  return { report, result }
}

test('what is past its time is listed no more, and found by the worker', async () => {
  const monitored = await target('expiring')
  const over = await upload(monitored, new Date(), { expiresAt: new Date(Date.now() - 1000) })
  const kept = await upload(monitored, new Date(), { expiresAt: new Date(Date.now() + 60_000) })
  if (!('id' in over && 'id' in kept)) throw new Error('It was refused')
  const listed = await mcp().listSessions(asAda(), projectId, { limit: 10 }, { mcpTargetId: monitored.id })
  expect(listed.map(({ id }) => id)).toEqual([kept.id])
  const found = await findExpiredMcpSessions(at.database, { limit: 10 })
  expect(found).toEqual([{ workspaceId: ada.workspaceId, id: over.id }])
})

test('an order is taken once, and its report kept once', async () => {
  const asked = await target('asked')
  const { id, taskId } = await order(asked, 'col_1')
  const next = () => mcp().nextOrder(asAda(), 'col_1')
  expect(await next()).toEqual({
    id,
    taskId,
    server: 'asked',
    measurement: { command: 'profile', seconds: 5 },
  })
  expect([await mcp().takeOrder(asAda(), id), await mcp().takeOrder(asAda(), id)]).toEqual([true, false])
  expect(await next()).toBeUndefined()
  expect(await mcp().findSession(asAda(), id)).toMatchObject({ status: 'PENDING', message: 'waits' })
  const session = { id, workspaceId: ada.workspaceId }
  expect(await mcp().keepReport(asAda(), session, reported(new Date()), unbounded)).toBeUndefined()
  expect(await mcp().keepReport(asAda(), session, reported(new Date()), unbounded)).toEqual({
    refused: 'ended',
  })
  expect(await mcp().findSession(asAda(), id)).toMatchObject({ status: 'SUCCESS', serverVersion: '1.0.0' })
  const { taskId: other } = await order(asked, 'col_1')
  await at.stores.tasks.requestCancel(asAda(), other)
  expect(await next()).toBeUndefined()
})

test('a monitor is due once in each interval, and not while one of its sessions waits', async () => {
  const watched = await target('watched')
  const project = { id: projectId, workspaceId: ada.workspaceId }
  const due = async (names = ['watched']) =>
    (await mcp().takeDue(asAda(), project, names)).map(({ name }) => name)
  expect(await due()).toEqual([])
  const monitor = { intervalSeconds: 60, retentionHours: 1, seconds: 5 }
  const setMonitor = (to: typeof monitor | null) => mcp().updateTarget(asAda(), watched.id, { monitor: to })
  await setMonitor(monitor)
  expect(await due(['another'])).toEqual([])
  expect(await due()).toEqual(['watched'])
  expect(await due()).toEqual([])
  const { taskId } = await order(watched, 'col_2', 'monitor')
  await setMonitor(monitor)
  expect(await due()).toEqual([])
  await at.stores.tasks.finish(asAda(), taskId, { isCancelled: true })
  expect(await due()).toEqual(['watched'])
  await setMonitor(null)
  expect(await mcp().findTarget(asAda(), watched.id)).toMatchObject({ monitor: null, monitorNextAt: null })
})
