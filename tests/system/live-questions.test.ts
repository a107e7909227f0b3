import { createClient } from '@flamegate/client'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { beforeAll, describe, expect, test } from 'vitest'
import { madeProgram } from '../../packages/live/src/testing/made-program.ts'
import { callTool } from './calls.ts'
import { apiToken, platform, signUp } from './person.ts'

/** What the documentation of hotpath promises answers to, asked over MCP of what programs pushed. */

const pushedEvery = 5
let appId: string
let restartedId: string
let reader: string

beforeAll(async () => {
  const owner = await signUp('Live')
  const { project } = await owner.client.call(operations.createProject, {
    workspace_id: owner.workspaceId,
    name: 'Live',
  })
  reader = await apiToken(owner, ['read'])
  const register = async (name: string) => {
    const { live_app: app, token } = await owner.client.call(operations.registerLiveApp, {
      project_id: project.id,
      name,
    })
    const headers = { authorization: `Bearer ${token}` }
    return { id: app.id, program: createClient({ baseUrl: platform().url, headers }) }
  }
  const startedAt = Date.now() - 125_000
  const shop = await register('shop')
  appId = shop.id
  for (const push of madeProgram({ startedAt, slowFrom: 60 })) {
    if (push.sequence % pushedEvery !== 0) continue
    // oxlint-disable-next-line no-await-in-loop -- as a program does
    await shop.program.call(operations.pushLive, { live_app_id: appId, ...push })
  }
  const restarted = await register('restarted')
  restartedId = restarted.id
  for (const push of [
    ...madeProgram({ session: 'made-shop-2', startedAt, seconds: 40, hasHistograms: false }),
    ...madeProgram({
      session: 'made-shop-3',
      startedAt: startedAt + 110_000,
      seconds: 10,
      hasHistograms: false,
    }),
  ]) {
    if (push.sequence % pushedEvery !== 0) continue
    // oxlint-disable-next-line no-await-in-loop -- as a program does
    await restarted.program.call(operations.pushLive, { live_app_id: restartedId, ...push })
  }
})

async function ask<O extends Operation>(
  operation: O,
  input: Record<string, unknown> = {},
): Promise<{ answer: OutputOf<O>; text: string }> {
  const { answer, text, code } = await callTool(
    operation,
    { live_app_id: appId, ...input },
    { token: reader },
  )
  if (answer === undefined) throw new Error(`${code ?? 'no code'}: ${text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema reads it, beside its url
  return { answer: operation.output.parse(answer) as OutputOf<O>, text }
}

describe('an agent learns', () => {
  test('which functions dominate, and how it is told', async () => {
    const { answer, text } = await ask(operations.functionsTiming)
    expect(answer.rows[0]).toMatchObject({ name: 'shop::pay', measures: { calls: 2400, mean_ns: 6e6 } })
    expect(answer.age_seconds).toBeLessThan(100)
    expect(text).toContain(`/live-apps/${appId}`)
    expect(text).toContain('since the start (2 min)')
  })

  test('percentiles of the last minute alone', async () => {
    const { answer } = await ask(operations.functionsTiming, { last_seconds: 60, percentiles: [50] })
    expect(answer.window.seconds).toBe(60)
    expect(answer.rows[0]).toMatchObject({
      percentiles_of: 'window',
      measures: { calls: 1200, mean_ns: 9e6 },
    })
    expect((answer.rows[0]?.measures['p50_ns'] ?? 0) / 9e6).toBeCloseTo(1, 1)
  })

  test('where most memory is allocated', async () => {
    const { answer } = await ask(operations.functionsAlloc)
    expect(answer.rows[0]?.name).toBe('shop::parse')
  })

  test('which channel is busiest, and which is clogged', async () => {
    const busiest = await ask(operations.channels, { last_seconds: 60 })
    expect(busiest.answer.rows[0]).toMatchObject({ name: 'ticks', measures: { sent_per_second: 1000 } })
    const fullest = await ask(operations.channels, { sort: 'queued' })
    expect(fullest.answer.rows[0]).toMatchObject({ name: 'orders', measures: { queued: 1200 } })
  })

  test('which functions have spikes', async () => {
    const { answer } = await ask(operations.functionsTiming, { sort: 'p99_ns', filter: 'shop' })
    expect(answer.rows[0]?.name).toBe('shop::render')
  })

  test('the last ten calls of a function', async () => {
    const { answer, text } = await ask(operations.functionTimingLogs, {
      function_name: 'shop::pay',
      limit: 10,
    })
    expect(answer.entries.map(({ measures }) => measures['duration_ns'])).toEqual(
      Array.from({ length: 10 }, (_, index) => 9e6 + 19 - index),
    )
    expect(text).toContain('| worker |')
  })

  test('how two functions compare', async () => {
    const timing = await ask(operations.functionsTiming, { filter: 'shop::pa' })
    const memory = await ask(operations.functionsAlloc, { filter: 'shop::pa' })
    expect(timing.answer.rows.map(({ name }) => name)).toEqual(['shop::pay', 'shop::parse'])
    expect(memory.answer.rows.map(({ name }) => name)).toEqual(['shop::parse', 'shop::pay'])
  })

  test('which threads use most CPU and memory', async () => {
    const { answer } = await ask(operations.threads, { last_seconds: 60 })
    expect(answer.rows[0]?.name).toBe('worker')
    expect(answer.process?.measures['rss_bytes']).toBe(17e7)
  })

  test('what leaks, what is clogged and what slowed, in one call', async () => {
    const { answer, text } = await ask(operations.compareLiveMoments)
    const growing = answer.growing.map(({ name, measure }) => `${name} ${measure}`)
    expect(growing).toEqual(expect.arrayContaining(['worker kept_bytes', 'orders queued']))
    expect(growing.some((each) => /^(?:main|ticks) /.test(each))).toBe(false)
    expect(answer.times[0]).toMatchObject({ name: 'shop::pay', mean_ns: { base: 3e6, head: 9e6 } })
    expect(text).toContain('| functions_timing | shop::pay | 3 ms | 9 ms | +200.0 % |')
  })

  test('no literal of SQL', async () => {
    const { answer, text } = await ask(operations.liveResources, { section: 'sql', item_id: '1' })
    expect(answer.entries.length).toBeGreaterThan(10)
    expect(JSON.stringify(answer) + text).not.toContain('example.com')
  })
})

test('of an app that began anew the process that pushes is told, and the other at its time', async () => {
  const now = await ask(operations.functionsTiming, { live_app_id: restartedId })
  expect(now.answer.rows[0]).toMatchObject({ session: 'made-shop-3', processes: 1, measures: { calls: 200 } })
  expect(now.answer.notes[0]).toContain('The program tells only p95')
  const status = await ask(operations.profilerStatus, { live_app_id: restartedId })
  expect(status.answer.processes.map(({ session }) => session)).toEqual(['made-shop-3', 'made-shop-2'])
  expect(status.text).toContain('Build with the feature hotpath-cpu')
  const both = await ask(operations.functionsTiming, { live_app_id: restartedId, last_seconds: 600 })
  expect(both.answer.rows[0]).toMatchObject({ processes: 2, measures: { calls: 1000 } })
  const gone = await ask(operations.functionsTiming, {
    live_app_id: restartedId,
    session: 'made-shop-2',
    last_seconds: 600,
  })
  expect(gone.answer.rows[0]?.measures).toMatchObject({ calls: 800 })
})

test('two apps are compared by what each last did', async () => {
  const { answer } = await ask(operations.compareLiveMoments, {
    base_live_app_id: restartedId,
    last_seconds: 10,
  })
  expect(answer.base_live_app_id).toBe(restartedId)
  expect(answer.times[0]).toMatchObject({ name: 'shop::pay', mean_ns: { base: 3e6, head: 9e6 } })
})
