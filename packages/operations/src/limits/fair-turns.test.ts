import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FairTurns } from './fair-turns.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const settle = () => vi.advanceTimersByTimeAsync(0)

/** Turns with work that ends when it is told to. */
function opened({ most = 6, waitingMost = 100 } = {}) {
  const turns = new FairTurns({
    most,
    waitingMost,
    waitingForMs: 3_500,
    placeForMs: 1_000,
    tooMany: () => new RangeError('Too many wait'),
    tooLate: () => new RangeError('Waited too long'),
  })
  const begun: string[] = []
  const ended: string[] = []
  const ends = new Map<string, (error?: Error) => void>()
  /** `name` is the tenant, and which of its pieces of work: `a1`. */
  const take = (name: string, signal?: AbortSignal) =>
    turns
      .take(
        name.slice(0, 1),
        () => {
          begun.push(name)
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          ends.set(name, (error) => (error === undefined ? resolve() : reject(error)))
          return promise
        },
        signal,
      )
      .finally(() => ended.push(name))
  /** Without a promise that somebody has to look after. */
  const start = (...names: string[]) => {
    for (const name of names) take(name).catch(() => undefined)
  }
  const end = async (name: string, error?: Error) => {
    ends.get(name)?.(error)
    await settle()
  }
  return { take, start, end, begun, ended }
}

test('work begins at once, in the same step, where there is a place', () => {
  const { start, begun } = opened()
  start('a1', 'b1')
  expect(begun).toEqual(['a1', 'b1'])
})

test('a tenant that is alone has half of the places, and what it leaves is for whoever comes', async () => {
  const { start, end, begun } = opened()
  start('a1', 'a2', 'a3', 'a4', 'a5')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
  start('b1', 'b2', 'b3')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'b1', 'b2'])
  await end('a1')
  // Of two, each has a third.
  expect(begun.slice(5)).toEqual([])
  await end('a2')
  expect(begun.slice(5)).toEqual(['a4'])
  await end('b1')
  expect(begun.slice(6)).toEqual(['b3'])
})

test('shares grow when a tenant has gone', async () => {
  const { start, end, begun } = opened()
  start('b1', 'a1', 'a2', 'a3', 'a4')
  expect(begun).toEqual(['b1', 'a1', 'a2'])
  await end('b1')
  expect(begun).toEqual(['b1', 'a1', 'a2', 'a3'])
})

test('those that wait take turns, however much each of them has', async () => {
  const { start, end, begun } = opened({ most: 2 })
  start('x1', 'y1')
  start('a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1')
  await end('x1')
  await end('y1')
  for (const name of ['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4']) await end(name)
  expect(begun).toEqual(['x1', 'y1', 'a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

test('nothing is lost, and never is more under way than there are places, whatever comes in whatever order', async () => {
  const { start, end, begun, ended } = opened({ most: 4 })
  let state = 7
  const next = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below
  const started: string[] = []
  const underWay = () => begun.filter((name) => !ended.includes(name))
  for (let step = 0; step < 600; step += 1) {
    const running = underWay()
    expect(running.length).toBeLessThanOrEqual(4)
    if (next(2) === 0) {
      const name = `${'abcdef'.charAt(next(6))}${step}`
      started.push(name)
      start(name)
    } else if (running.length > 0) {
      await end(running[next(running.length)] ?? '', next(5) === 0 ? new Error('broken') : undefined)
    }
  }
  while (underWay().length > 0) await end(underWay()[0] ?? '')
  expect(begun.toSorted()).toEqual(started.toSorted())
  expect(ended.toSorted()).toEqual(started.toSorted())
  for (const tenant of 'abcdef') {
    const ofTenant = (names: string[]) => names.filter((name) => name.startsWith(tenant))
    expect(ofTenant(begun)).toEqual(ofTenant(started))
  }
})

test('only so many of a tenant wait, and another one is not refused for it', async () => {
  const { take, start, end, begun } = opened({ most: 2, waitingMost: 2 })
  start('a1', 'a2', 'a3')
  await expect(take('a4')).rejects.toThrow('Too many wait')
  start('b1')
  expect(begun).toEqual(['a1', 'b1'])
  await end('a1')
  start('a5')
  expect(begun).toEqual(['a1', 'b1', 'a2'])
})

test('whoever hung up gives up their turn, and those behind them move up', async () => {
  const { take, start, end, begun } = opened({ most: 2 })
  const hungUp = new AbortController()
  start('a1')
  const second = take('a2', hungUp.signal)
  start('a3')
  hungUp.abort(new Error('hung up'))
  await expect(second).rejects.toThrow('hung up')
  await end('a1')
  expect(begun).toEqual(['a1', 'a3'])
  await expect(take('a4', hungUp.signal)).rejects.toThrow('hung up')
})

test('whose turn does not come in time is told so and never begun, and those behind them move up', async () => {
  const { take, start, end, begun, ended } = opened({ most: 2 })
  // Each gives back its place after a second.
  start('a1', 'a2', 'a3', 'a4', 'a5')
  const told = take('a6').catch((error: unknown) => error)
  await vi.advanceTimersByTimeAsync(1_000)
  start('a7')
  await vi.advanceTimersByTimeAsync(2_499)
  expect(ended).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(await told).toEqual(new RangeError('Waited too long'))
  expect(ended).toEqual(['a5', 'a6'])
  await end('a4')
  expect(begun).toEqual(['a1', 'a2', 'a3', 'a4', 'a7'])
})

test('what had begun in time is never told that it waited too long', async () => {
  const { take, start, end, begun } = opened({ most: 2 })
  start('a1')
  const second = take('a2')
  await vi.advanceTimersByTimeAsync(10_000)
  expect(begun).toEqual(['a1', 'a2'])
  await end('a2')
  await expect(second).resolves.toBeUndefined()
})

test('when the last of a tenant that waited has gone, the others have its share', async () => {
  const { take, start, end, begun } = opened({ most: 4 })
  const hungUp = new AbortController()
  start('a1', 'a2', 'b1', 'c1')
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1'])
  start('b2')
  const waiting = take('d1', hungUp.signal)
  await end('a1')
  expect(begun.slice(4)).toEqual(['d1'])
  await end('a2')
  hungUp.abort()
  await settle()
  // It had begun, and is finished.
  await end('d1')
  await expect(waiting).resolves.toBeUndefined()
  await end('c1')
  expect(begun.slice(5)).toEqual(['b2'])
})

test('work that fails tells its error, and frees its place', async () => {
  const { take, start, end, begun } = opened({ most: 2 })
  const told = take('a1').catch((error: unknown) => error)
  start('a2')
  await end('a1', new Error('broken'))
  expect(await told).toEqual(new Error('broken'))
  expect(begun).toEqual(['a1', 'a2'])
})

test('what takes long keeps no place, and frees none a second time when it ends', async () => {
  const { start, end, begun } = opened({ most: 2 })
  start('a1', 'a2', 'a3', 'a4')
  await vi.advanceTimersByTimeAsync(1_000)
  expect(begun).toEqual(['a1', 'a2'])
  await end('a1')
  expect(begun).toEqual(['a1', 'a2'])
  await end('a2')
  expect(begun).toEqual(['a1', 'a2', 'a3'])
})
