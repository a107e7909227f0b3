import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callTool } from './calls.ts'
import { apiToken, platform, signUp } from './person.ts'

/** A program with planted faults, measured by the library: the tools point at each. */

let shop: ChildProcess
let appId: string
let reader: string

beforeAll(async () => {
  const owner = await signUp('Profiler')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Profiler',
  })
  reader = await apiToken(owner, ['read'])
  const { live_app: app, token } = await owner.client.call(operations.registerLiveApp, {
    project_id: project.id,
    name: 'troubled shop',
  })
  appId = app.id
  shop = spawn(
    process.execPath,
    [path.join(import.meta.dirname, '../../packages/profiler/samples/troubled-shop.ts')],
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
})

afterAll(async () => {
  const ended = new Promise((resolve) => shop.on('exit', resolve))
  shop.stdin?.end()
  await ended
})

async function ask<O extends Operation>(
  operation: O,
  input: Record<string, unknown> = {},
): Promise<OutputOf<O>> {
  const { answer, text, code } = await callTool(
    operation,
    { live_app_id: appId, ...input },
    { token: reader },
  )
  if (answer === undefined) throw new Error(`${code ?? 'no code'}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema reads it, beside its url
  return operation.output.parse(answer) as OutputOf<O>
}

test('the slow function takes most of the time', async () => {
  await expect.poll(async () => (await ask(operations.functionsTiming)).rows[0]?.name).toBe('searchProducts')
})

test('the clogged queue is the fullest', async () => {
  await expect
    .poll(async () => (await ask(operations.channels, { sort: 'queued' })).rows[0])
    .toMatchObject({ name: 'mails', state: 'full', measures: { queued: 100, capacity: 100 } })
})

test('the leak grows steadily, and the function that holds on to it is told', async () => {
  await expect
    .poll(async () =>
      (await ask(operations.functionsAlloc)).rows.find(({ name }) => name === 'rememberSession'),
    )
    .toMatchObject({ measures: { retained_bytes: expect.any(Number) } })
  await expect
    .poll(async () => {
      const { growing } = await ask(operations.compareLiveMoments, { last_seconds: 5 })
      return growing.map(({ name, measure }) => `${name} ${measure}`)
    })
    .toEqual(expect.arrayContaining(['sessions value', 'process heap_used_bytes']))
})
