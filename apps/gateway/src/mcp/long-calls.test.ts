import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { ApiAnswer, ApiCaller } from '../api-caller.ts'
import { plainAnswer } from '../test-gateway.ts'
import { tellProgress } from './progress.ts'
import { eventsOf, legacy, modern, startListeningGateway } from './test-requests.ts'
import type { Json } from './test-requests.ts'

/** An API that answers when it is told to. */
function slowApi() {
  const begun = Promise.withResolvers<AbortSignal | undefined>()
  const answered = Promise.withResolvers<ApiAnswer>()
  const caller: ApiCaller = {
    call(_operation, _input, _origin, signal) {
      begun.resolve(signal)
      return answered.promise
    },
    close: () => Promise.resolve(),
  }
  return {
    caller,
    begun: begun.promise,
    answer: () => answered.resolve(plainAnswer),
    fail: () => answered.reject(new TypeError('not for clients')),
  }
}

let api: ReturnType<typeof slowApi>
let gateway: Awaited<ReturnType<typeof startListeningGateway>>

beforeEach(async () => {
  api = slowApi()
  gateway = await startListeningGateway(api.caller)
})
afterEach(async () => {
  api.answer()
  await gateway.close()
})

const call = { name: 'find_tools', arguments: { query: 'flame' } }
// A log level is left to the SDK.
const logLevel = { 'io.modelcontextprotocol/logLevel': 'info' }

describe('hanging up', () => {
  test.each<[string, Json]>([
    ['by ourselves', {}],
    ['by the SDK', { _meta: logLevel }],
  ])('cancels a call of 2026-07-28 that is answered %s', async (_how, more) => {
    const client = new AbortController()
    const answer = gateway.post(modern('tools/call', { ...call, ...more }), { signal: client.signal })
    const signal = await api.begun
    expect(signal?.aborted).toBe(false)
    client.abort()
    await expect(answer).rejects.toThrow('aborted')
    if (signal?.aborted === false) await once(signal, 'abort')
    expect(signal?.aborted).toBe(true)
  })

  test('does not cancel a call of 2025-11-25', async () => {
    const answer = gateway.post(legacy('tools/call', call))
    expect(await api.begun).toBeUndefined()
    api.answer()
    expect((await answer).status).toBe(200)
  })

  test('means nothing after the answer', async () => {
    const answer = gateway.post(modern('tools/call', call))
    const signal = await api.begun
    api.answer()
    await (await answer).text()
    await gateway.close()
    expect(signal?.aborted).toBe(false)
  })
})

describe('progress', () => {
  test.each<[string, ReturnType<typeof modern>]>([
    ['2025-11-25', legacy('tools/call', { ...call, _meta: { progressToken: 'p-1' } })],
    ['2026-07-28', modern('tools/call', { ...call, _meta: { progressToken: 'p-1' } })],
    [
      '2026-07-28, by the SDK',
      modern('tools/call', { ...call, _meta: { progressToken: 'p-1', ...logLevel } }),
    ],
  ])('of a long call is told to a client that asked: %s', async (_version, request) => {
    const response = await gateway.post(request)
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const events = eventsOf(response)
    expect((await events.next()).value).toMatchObject({
      method: 'notifications/progress',
      params: { progressToken: 'p-1', progress: expect.any(Number), message: expect.any(String) },
    })
    api.answer()
    expect((await events.next()).value).toMatchObject({ id: 1, result: { content: [{ text: 'Grüße' }] } })
    expect(await events.next()).toMatchObject({ done: true })
  })

  test('of a call that fails is followed by the error, and the stream ends', async () => {
    const response = await gateway.post(legacy('tools/call', { ...call, _meta: { progressToken: 'p-1' } }))
    const events = eventsOf(response)
    expect((await events.next()).value).toMatchObject({ method: 'notifications/progress' })
    api.fail()
    expect((await events.next()).value).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: -32_603, message: 'Something went wrong on our side.' },
    })
    expect(await events.next()).toMatchObject({ done: true })
  })

  test('is not told when the call is short', async () => {
    api.answer()
    const response = await gateway.post(modern('tools/call', { ...call, _meta: { progressToken: 1 } }))
    expect(response.headers.get('content-type')).toContain('application/json')
  })
})

describe('tellProgress()', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('tells more and more until the work is done, and then no more', async () => {
    const told: number[] = []
    const work = Promise.withResolvers<string>()
    const done = tellProgress(work.promise, 'p-1', ({ progress }) => told.push(progress))
    await vi.advanceTimersByTimeAsync(13_000)
    expect(told).toEqual([2, 7, 12])
    work.resolve('result')
    expect(await done).toBe('result')
    await vi.advanceTimersByTimeAsync(60_000)
    expect(told).toHaveLength(3)
  })

  test('tells nothing to who did not ask, and stops when the work fails', async () => {
    const told: number[] = []
    const failing = Promise.reject(new Error('no'))
    await expect(tellProgress(failing, 'p-1', ({ progress }) => told.push(progress))).rejects.toThrow('no')
    const slow = new Promise((resolve) => setTimeout(resolve, 30_000))
    const done = tellProgress(slow, undefined, ({ progress }) => told.push(progress))
    await vi.advanceTimersByTimeAsync(60_000)
    await done
    expect(told).toEqual([])
  })
})
