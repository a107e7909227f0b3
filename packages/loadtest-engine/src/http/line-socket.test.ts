import { Socket } from 'node:net'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Access } from './access.ts'
import { Line } from './line.ts'
import { LineSocket } from './line-socket.ts'

/** Moments of a clock that only this test moves; access.measured.test.ts has real servers. */

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function lineOf(limits: Partial<Access['network']>): Line {
  return new Line({
    download_bits_per_second: null,
    upload_bits_per_second: null,
    latency_ms: 0,
    ...limits,
  })
}

/** A socket that is connected to nothing, and what went over a line on it: how many bytes there were, and when. */
function over(line: Line) {
  const inner = new Socket()
  const written: [bytes: number, at: number][] = []
  const read: [bytes: number, at: number][] = []
  const pauses: boolean[] = []
  vi.spyOn(inner, 'write').mockImplementation((bytes) => {
    written.push([bytes.length, performance.now() - zero])
    return true
  })
  vi.spyOn(inner, 'pause').mockImplementation(() => (pauses.push(true), inner))
  vi.spyOn(inner, 'resume').mockImplementation(() => (pauses.push(false), inner))
  const socket = new LineSocket(inner, line)
  socket.on('data', (bytes: Buffer) => read.push([bytes.length, performance.now() - zero]))
  const zero = performance.now()
  return { inner, socket, written, read, pauses }
}

test('what is read comes piece by piece, the last when all of it is over', async () => {
  const { inner, read } = over(lineOf({ download_bits_per_second: 800_000 }))
  // 100 bytes in each millisecond, 20 of which come at once.
  inner.emit('data', Buffer.alloc(10_000))
  await vi.advanceTimersByTimeAsync(1000)
  expect(read).toEqual([20, 40, 60, 80, 100].map((at) => [2000, at]))
})

test('what is written goes piece by piece, and is done when the last has gone', async () => {
  const { socket, written } = over(lineOf({ upload_bits_per_second: 800_000, latency_ms: 50 }))
  let doneAt = NaN
  const zero = performance.now()
  socket.write(Buffer.alloc(5000), () => (doneAt = performance.now() - zero))
  await vi.advanceTimersByTimeAsync(1000)
  // Half of the round trip later it is on the other side.
  expect(written).toEqual([
    [2000, 45],
    [2000, 65],
    [1000, 75],
  ])
  expect(doneAt).toBe(50)
})

test('a round trip is half on the way there, and half on the way back; being connected takes one', async () => {
  const { inner, socket, written, read } = over(lineOf({ latency_ms: 80 }))
  let connectedAt = NaN
  const zero = performance.now()
  socket.once('connect', () => (connectedAt = performance.now() - zero))
  inner.emit('connect')
  await vi.advanceTimersByTimeAsync(100)
  expect(connectedAt).toBe(80)
  socket.write('ask')
  inner.emit('data', Buffer.alloc(7))
  await vi.advanceTimersByTimeAsync(100)
  expect([written, read]).toEqual([[[3, 140]], [[7, 140]]])
})

test('what is written while something comes goes behind what was written before', async () => {
  const { inner, socket } = over(lineOf({ latency_ms: 40 }))
  const texts: string[] = []
  vi.spyOn(inner, 'write').mockImplementation((bytes) => texts.push(String(bytes)) > 0)
  inner.emit('data', Buffer.alloc(1))
  socket.write('first')
  // As early as what waits for its turn.
  socket.once('data', () => socket.write('second'))
  await vi.advanceTimersByTimeAsync(100)
  expect(texts).toEqual(['first', 'second'])
})

test('two connections of a user take turns on one line', async () => {
  const line = lineOf({ download_bits_per_second: 80_000 })
  const [one, other] = [over(line), over(line)]
  one.inner.emit('data', Buffer.alloc(1000))
  other.inner.emit('data', Buffer.alloc(1000))
  await vi.advanceTimersByTimeAsync(1000)
  expect([one.read, other.read]).toEqual([[[1000, 100]], [[1000, 200]]])
})

test('the system keeps what the line has no time for yet', async () => {
  const { inner, pauses } = over(lineOf({ download_bits_per_second: 80_000 }))
  await vi.advanceTimersByTimeAsync(0)
  pauses.length = 0
  inner.emit('data', Buffer.alloc(1000))
  expect(pauses).toEqual([true])
  await vi.advanceTimersByTimeAsync(49)
  expect(pauses).toEqual([true])
  await vi.advanceTimersByTimeAsync(2)
  expect(pauses).toEqual([true, false])
})

test('the end, and what broke it, come after what came before', async () => {
  const { inner, socket, read } = over(lineOf({ download_bits_per_second: 80_000, latency_ms: 20 }))
  const told: [what: string, at: number][] = []
  const zero = performance.now()
  socket.on('end', () => told.push(['end', performance.now() - zero]))
  inner.emit('data', Buffer.alloc(500))
  inner.emit('end')
  await vi.advanceTimersByTimeAsync(1000)
  expect([read, told]).toEqual([[[500, 60]], [['end', 60]]])
  const broken = over(lineOf({ latency_ms: 40 }))
  const since = performance.now()
  broken.socket.on('error', (error) => told.push([error.message, performance.now() - since]))
  broken.inner.emit('data', Buffer.alloc(1))
  broken.inner.emit('error', new Error('reset'))
  await vi.advanceTimersByTimeAsync(1000)
  expect(broken.read).toHaveLength(1)
  expect(told.at(-1)).toEqual(['reset', 20])
})
