import { createServer } from 'node:http'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '@flamegate/contract'
import { expect, onTestFinished, test } from 'vitest'
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
