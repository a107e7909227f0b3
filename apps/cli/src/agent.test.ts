import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem, type McpMeasurement } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { sampleCommand } from './mcp/testing/start-sample-server.ts'
import { readsProfiles } from './testing/read-profiles.ts'
import { runForTest } from './testing/run-for-test.ts'
import { serveApi } from './testing/serve-api.ts'
import { stubPrograms } from './testing/stub-programs.ts'

interface Order {
  name: string
  type: string
  seconds: number | null
}

/** An agent that may take the heap of one program, and is asked for this, and then has its token revoked. */
async function agentAskedFor(order: Order, goesOn = true) {
  const server = createServer((_request, response) => void response.end('heap'))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const address = server.address()
  const port = address === null || typeof address === 'string' ? 0 : address.port
  const api = await serveApi({
    ...readsProfiles,
    connect_collector: () => ({ project_id: 'prj_01', collector_id: 'col_01' }),
    await_capture: (_input, callNumber) => {
      if (callNumber > 1) throw new Problem('unauthenticated', 'This token was revoked.')
      return { capture: { task_id: 'tsk_09', ...order } }
    },
    report_capture: () => ({ goes_on: goesOn }),
  })
  const { folder } = await stubPrograms({})
  const shop = { kind: 'pprof', url: `http://127.0.0.1:${port}`, types: ['heap'], tags: ['shop'] }
  await writeFile(join(folder, 'collect.json'), JSON.stringify({ name: 'here', allow: { shop } }), {
    mode: 0o600,
  })
  const outcome = await runForTest(['agent', '--collect', 'collect.json', '--repository', 'prj_01'], {
    url: api.url,
    cwd: folder,
  })
  const inputs = (operation: string) =>
    api.calls.filter((call) => call.operation === operation).map(({ input }) => input)
  return { ...outcome, inputs }
}

test('agent says what it may run, takes what is asked, uploads it and reports the profile', async () => {
  const { exitCode, out, error, inputs } = await agentAskedFor({ name: 'shop', type: 'heap', seconds: null })
  // It ended because its token was revoked.
  expect([exitCode, error]).toEqual([1, expect.stringContaining('This token was revoked.')])
  expect(inputs('connect_collector')[0]).toEqual({
    project_id: 'prj_01',
    name: 'here',
    version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    captures: [{ name: 'shop', kind: 'pprof', types: ['heap'], seconds_max: 60 }],
  })
  expect(inputs('create_profile_upload')).toMatchObject([
    { name: 'heap of shop', type: 'heap', tags: ['shop'] },
  ])
  expect(inputs('report_capture')).toMatchObject([
    { task_id: 'tsk_09', state: 'started' },
    { task_id: 'tsk_09', state: 'done', profile_id: 'prf_1' },
  ])
  expect(out).toMatch(/^\S+ connected as here; may run: shop$/m)
  expect(out).toMatch(/^\S+ tsk_09: shop is profile prf_1$/m)
})

test('agent runs nothing that is not on its list, and says so', async () => {
  const { out, inputs } = await agentAskedFor({ name: 'database', type: 'cpu', seconds: null })
  expect(inputs('create_profile_upload')).toEqual([])
  expect(inputs('report_capture')).toMatchObject([
    { state: 'started' },
    { state: 'failed', message: 'This collector may not run database.' },
  ])
  expect(out).toContain('tsk_09: database failed: This collector may not run database.')
})

test('agent leaves alone what another one has started', async () => {
  const { inputs } = await agentAskedFor({ name: 'shop', type: 'heap', seconds: null }, false)
  expect(inputs('report_capture')).toMatchObject([{ state: 'started' }])
  expect(inputs('create_profile_upload')).toEqual([])
})

/** An agent that may measure the sample server, and is asked for this, and then has its token revoked. */
async function agentAskedToMeasure(measurement: McpMeasurement, goesOn: (callNumber: number) => boolean) {
  const api = await serveApi({
    connect_collector: () => ({ project_id: 'prj_01', collector_id: 'col_01' }),
    await_capture: (_input, callNumber) => {
      if (callNumber > 1) throw new Problem('unauthenticated', 'This token was revoked.')
      const order = { mcp_session_id: 'mcs_09', task_id: 'tsk_09', server: 'sample', measurement }
      return { capture: null, mcp_session: order }
    },
    report_mcp_session: (_input, callNumber) => ({ goes_on: goesOn(callNumber) }),
  })
  const { folder } = await stubPrograms({})
  const sample = {
    command: sampleCommand,
    operations: ['echo', 'fails'],
    arguments: { echo: { text: 'hi' } },
    rps_max: 10,
  }
  await writeFile(join(folder, 'collect.json'), JSON.stringify({ name: 'here', mcp: { sample } }), {
    mode: 0o600,
  })
  const { out, error } = await runForTest(['agent', '--collect', 'collect.json', '--repository', 'prj_01'], {
    url: api.url,
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '' },
  })
  const reports = api.calls
    .filter((call) => call.operation === 'report_mcp_session')
    .map(({ input }) => input)
  return { out, error, reports, offered: api.calls[0]?.input['mcp_servers'] }
}

test('agent measures an MCP server of its list, and brings the report and what is printed in its place', async () => {
  const { out, reports, offered } = await agentAskedToMeasure(
    { command: 'capacity', operations: ['echo'], max_latency_ms: 5000, seconds: 1 },
    () => true,
  )
  expect(offered).toMatchObject([{ name: 'sample', transport: 'stdio', operations: ['echo', 'fails'] }])
  expect(JSON.stringify(offered)).not.toContain('sample-server')
  expect(out).toMatch(/^\S+ connected as here; may measure: sample$/m)
  expect(reports[0]).toMatchObject({ state: 'started', message: 'capacity of sample' })
  expect(reports.at(-1)).toMatchObject({
    state: 'done',
    report: { command: 'capacity', target: { name: 'sample' }, operations: [{ name: 'echo' }] },
    result: { trials: expect.any(Array) },
  })
})

test('agent ends a measurement that is called off, and calls no tool that its list does not have', async () => {
  const long = { command: 'profile', seconds: 600 } as const
  const stopped = await agentAskedToMeasure(long, (callNumber) => callNumber === 1)
  expect(stopped.reports.map(({ state }) => state)).toEqual(['started', 'going_on', 'stopped'])
  const refused = await agentAskedToMeasure({ command: 'profile', operations: ['remove'] }, () => true)
  expect(refused.reports.at(-1)).toMatchObject({
    state: 'failed',
    message: 'sample: remove may not be called here; echo, fails may.',
  })
})

test('agent goes on when what it was asked for is deleted', async () => {
  const { out, error, reports } = await agentAskedToMeasure({ command: 'profile' }, () => {
    throw new Problem('mcp_session_not_found', 'No such session.')
  })
  expect(reports).toMatchObject([{ state: 'started' }])
  expect(out).toMatch(/^\S+ mcs_09: sample was called off/m)
  // It was asked once more what there is to do.
  expect(error).toContain('This token was revoked.')
})

test('agent connects anew after trouble, and says so', async () => {
  const api = await serveApi({
    await_capture: (_input, callNumber) => {
      throw callNumber === 1
        ? new Problem('unavailable', 'It is being updated.')
        : new Problem('unauthenticated', 'This token was revoked.')
    },
  })
  const { folder } = await stubPrograms({})
  await writeFile(join(folder, 'c.json'), '{"name":"here","allow":{"a":{"kind":"perf","pid":4}}}', {
    mode: 0o600,
  })
  const { out } = await runForTest(['agent', '--collect', 'c.json', '--repository', 'prj_01'], {
    url: api.url,
    cwd: folder,
  })
  expect(out.split('\n').map((line) => line.replace(/^\S+ /, ''))).toEqual([
    'connected as here; may run: a',
    'no connection (It is being updated.); trying again in 2 s',
    'connected as here; may run: a',
    '',
  ])
})

test('agent sends its token nowhere without encryption', async () => {
  const { folder } = await stubPrograms({})
  await writeFile(join(folder, 'c.json'), '{"allow":{"a":{"kind":"perf","pid":4}}}', { mode: 0o600 })
  const args = ['agent', '--collect', 'c.json']
  expect(await runForTest(args, { cwd: folder, url: 'http://flamegate.example' })).toMatchObject({
    exitCode: 2,
    error: expect.stringContaining('by https alone'),
  })
})
