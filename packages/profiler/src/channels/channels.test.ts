import { slotOf } from '@flamegate/live/slots'
import { EventEmitter, once } from 'node:events'
import { Readable, Transform, Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { MessageChannel, Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMeasurements } from '../measurements.ts'
import type { Measurements } from '../measurements.ts'
import { createTestClock, itemOf } from '../test-clock.ts'

const clock = createTestClock()
let measurements: Measurements
beforeEach(() => {
  measurements = createMeasurements({ now: clock.now, wallClock: clock.now })
})
afterEach(() => measurements.stop())
const channel = (name: string) => itemOf(measurements, 'channels', name)

test('a queue keeps its order, refuses what it has no room for, and knows how long each item waited', () => {
  const queue = measurements.queue<string>('jobs', { capacity: 2 })
  expect(queue.put('a')).toBe(true)
  clock.advance(10)
  expect(queue.put('b')).toBe(true)
  expect(queue.put('c')).toBe(false)
  expect(channel('jobs')).toMatchObject({
    kind: 'queue[2]',
    state: 'full',
    counters: { sent: 2, received: 0 },
    levels: { queued: 2, queued_max: 2, capacity: 2 },
  })
  clock.advance(20)
  expect([queue.take(), queue.take(), queue.take()]).toEqual(['a', 'b', undefined])
  expect(channel('jobs')).toMatchObject({
    state: 'active',
    counters: { sent: 2, received: 2 },
    levels: { queued: 0, queued_max: 2 },
    distributions: { delay: { histogram: { slots: [slotOf(20e6), slotOf(30e6)], counts: [1, 1] } } },
  })
  queue.close()
  expect(queue.put('d')).toBe(false)
  expect(channel('jobs').state).toBe('closed')
})

test('a long queue keeps its order and its delays', () => {
  const queue = measurements.queue<number>('long')
  const taken: (number | undefined)[] = []
  for (let index = 0; index < 70_000; index++) {
    queue.put(index)
    if (index % 3 === 0) taken.push(queue.take())
  }
  expect(channel('long').levels).toMatchObject({ queued: queue.size })
  clock.advance(7)
  while (queue.size > 0) taken.push(queue.take())
  expect(taken).toEqual(Array.from({ length: 70_000 }, (_, index) => index))
  expect(channel('long').distributions?.['delay']?.count).toBe(70_000)
})

test('of a queue beyond what is noted, the delays of the first are told, and of no other', () => {
  const queue = measurements.queue<number>('endless')
  for (let index = 0; index < 70_000; index++) queue.put(index)
  clock.advance(5)
  for (let index = 0; index < 70_000; index++) queue.take()
  expect(channel('endless').distributions?.['delay']).toMatchObject({ count: 65_536, max: 5e6 })
  queue.put(1)
  clock.advance(9)
  queue.take()
  expect(channel('endless').distributions?.['delay']).toMatchObject({ count: 65_537, max: 9e6 })
})

test('a writable stream: what is written, what waits, how long it waits and is worked at', async () => {
  const waiting: (() => void)[] = []
  const stream = measurements.channel(
    'log file',
    new Writable({
      objectMode: true,
      highWaterMark: 3,
      write: (_chunk, _encoding, done) => void waiting.push(done),
    }),
  )
  for (const item of ['a', 'b', 'c']) stream.write(item)
  expect(channel('log file')).toMatchObject({
    kind: 'writable stream[3]',
    state: 'full',
    counters: { sent: 3, received: 1 },
    levels: { queued: 3, capacity: 3, instances: 1, closed_instances: 0 },
  })
  clock.advance(40)
  waiting.shift()?.()
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()?.()
  await expect.poll(() => waiting.length).toBe(1)
  stream.end('d')
  waiting.shift()?.()
  await expect.poll(() => waiting.length).toBe(1)
  waiting.shift()?.()
  await once(stream, 'close')
  const item = channel('log file')
  expect(item).toMatchObject({ state: 'closed', counters: { sent: 4, received: 4 } })
  expect(item.distributions?.['processing']).toMatchObject({ count: 4, total: 40e6 })
  expect(item.distributions?.['delay']).toMatchObject({ count: 4, total: 80e6 })
})

test('chunks that are written at once are counted one by one', async () => {
  const seen: string[] = []
  const stream = measurements.channel(
    'batches',
    new Writable({
      writev(chunks, done) {
        seen.push(...chunks.map(({ chunk }) => String(chunk)))
        setImmediate(done)
      },
    }),
  )
  for (const item of ['a', 'b', 'c']) stream.write(item)
  stream.end()
  await once(stream, 'finish')
  expect(seen).toEqual(['a', 'b', 'c'])
  expect(channel('batches').counters).toEqual({ sent: 3, received: 3 })
})

const numbers = (): Readable => measurements.channel('numbers', Readable.from([1, 2, 3, 4]))

test('a readable stream flows as before, whichever way it is read', async () => {
  const idle = numbers()
  await new Promise(setImmediate)
  expect(idle.readableFlowing).toBeNull()
  const read: number[] = []
  for await (const number of numbers()) read.push(number)
  await pipeline(
    numbers(),
    new Writable({ objectMode: true, write: (number, _, done) => (read.push(number), done()) }),
  )
  expect(read).toEqual([1, 2, 3, 4, 1, 2, 3, 4])
  expect(channel('numbers')).toMatchObject({
    counters: { sent: 8, received: 8 },
    levels: { instances: 3, closed_instances: 2 },
  })
})

test('a transform stream between two others', async () => {
  const upper = measurements.channel(
    'upper',
    new Transform({ transform: (chunk, _, done) => done(null, String(chunk).toUpperCase()) }),
  )
  let text = ''
  await pipeline(
    Readable.from(['a', 'b', 'c']),
    upper,
    new Writable({ write: (chunk, _, done) => ((text += String(chunk)), done()) }),
  )
  expect(text).toBe('ABC')
  expect(channel('upper').counters).toEqual({ sent: 3, received: 3 })
})

test('the bytes that a stream holds', () => {
  const stream = measurements.channel('file', new Writable({ highWaterMark: 10, write: () => {} }))
  stream.write('12345')
  expect(channel('file')).toMatchObject({ state: 'active', levels: { queued_bytes: 5 } })
  stream.write('1234567890')
  expect(channel('file')).toMatchObject({
    kind: 'writable stream[10 bytes]',
    state: 'full',
    levels: { queued_bytes: 15 },
  })
  stream.destroy()
})

test('both ways of a worker; it is heard only as long as the program listens', async () => {
  const worker = measurements.channel(
    'worker',
    new Worker(
      `const { parentPort } = require('node:worker_threads')
      parentPort.on('message', (text) => { parentPort.postMessage(text); parentPort.postMessage('again') })`,
      {
        eval: true,
      },
    ),
  )
  const heard: unknown[] = []
  worker.on('message', (message) => heard.push(message))
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has none
  worker.postMessage('hello')
  await expect.poll(() => heard).toEqual(['hello', 'again'])
  expect(channel('worker').counters).toEqual({ sent: 1, received: 2 })
  await worker.terminate()
  expect(channel('worker').state).toBe('closed')
})

test('a message port is not kept open by being measured', async () => {
  const { port1, port2 } = new MessageChannel()
  measurements.channel('port', port1)
  const heard: unknown[] = []
  port1.once('message', (message) => heard.push(message))
  expect(port1.listenerCount('message')).toBe(2)
  port2.postMessage(1)
  await expect.poll(() => heard).toEqual([1])
  expect(port1.listenerCount('message')).toBe(0)
  const listener = (message: unknown) => void heard.push(message)
  port1.on('message', listener)
  port2.postMessage(2)
  await expect.poll(() => heard).toEqual([1, 2])
  port1.off('message', listener)
  expect(port1.listenerCount('message')).toBe(0)
  expect(channel('port').counters).toEqual({ sent: 0, received: 2 })
  port1.close()
})

test('an event emitter: events, those that somebody heard, and how long that took', () => {
  const emitter = measurements.channel('orders', new EventEmitter())
  emitter.on('placed', () => clock.advance(6))
  expect(emitter.emit('placed')).toBe(true)
  expect(emitter.emit('unheard')).toBe(false)
  expect(channel('orders')).toMatchObject({
    counters: { received: 1 },
    distributions: { processing: { count: 1, total: 6e6 } },
  })
})

test('what is no channel is refused', () => {
  expect(() => Reflect.apply(measurements.channel, undefined, ['odd', {}])).toThrow('A channel is a stream')
})
