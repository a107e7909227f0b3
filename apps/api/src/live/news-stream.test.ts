import type { BenchNews } from '@flamegate/operations/ports'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { NewsStream } from './news-stream.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: 1_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

const running = { id: 'bnr_1', state: 'RUNNING' as const, startedAtMs: 1_000_000, durationMs: 60_000 }
const second = (at: number, benchResultId = 'bnr_1'): BenchNews => ({
  of: 'series',
  benchResultId,
  second: at,
})
const became = (
  state: 'RUNNING' | 'FINISHED' | null,
  benchResultId = 'bnr_1',
  projectId = 'prj_1',
): BenchNews => ({
  of: 'run',
  benchResultId,
  projectId,
  state,
  startedAtMs: 1_000_000,
  durationMs: 60_000,
})

/** All that is written, as somebody reads it who is always quick. */
function readAll(stream: NewsStream): string[] {
  const events: string[] = []
  stream.setEncoding('utf8').on('data', (text: string) => events.push(text))
  return events
}

/** Lets what was written get to whoever reads. */
const settle = () => vi.advanceTimersByTimeAsync(0)

const event = (runs: object[]) => `event: news\ndata: ${JSON.stringify({ runs })}\n\n`
const run = (state: string, progress: number, at: number | null, id = 'bnr_1') => ({
  bench_result_id: id,
  state,
  progress,
  second: at,
})

test('it begins with how things stand, tells seconds every two seconds and states at once, and ends with the run', async () => {
  const stream = new NewsStream()
  const events = readAll(stream)
  const hasEnded = new Promise((resolve) => stream.once('end', resolve))
  stream.begin({ runs: [running] })
  await settle()
  expect(events).toEqual(['retry: 2000\n\n', event([run('RUNNING', 0, null)])])
  for (const at of [0, 1, 2]) stream.tell(second(at))
  await vi.advanceTimersByTimeAsync(1_999)
  expect(events).toHaveLength(2)
  await vi.advanceTimersByTimeAsync(1)
  expect(events[2]).toBe(event([run('RUNNING', 0.033, 2)]))
  await vi.advanceTimersByTimeAsync(1_000)
  stream.tell(second(3))
  stream.tell(became('FINISHED'))
  await settle()
  expect(events.slice(3)).toEqual([event([run('FINISHED', 1, 3)]), 'event: end\ndata: {}\n\n'])
  await hasEnded
})

test('what is told while it is looked up how things stand is not lost', async () => {
  const stream = new NewsStream()
  const events = readAll(stream)
  stream.tell(became('FINISHED'))
  stream.begin({ runs: [running] })
  await settle()
  expect(events.slice(1)).toEqual([event([run('FINISHED', 1, null)]), 'event: end\ndata: {}\n\n'])
})

test('of a project it tells the runs that come, nothing of other projects and no seconds, and goes on', async () => {
  const stream = new NewsStream()
  const events = readAll(stream)
  stream.begin({ runs: [], ofProject: 'prj_1' })
  await settle()
  expect(events.slice(1)).toEqual([event([])])
  await vi.advanceTimersByTimeAsync(5_000)
  stream.tell(became('RUNNING', 'bnr_9', 'prj_2'))
  stream.tell(became('RUNNING', 'bnr_2'))
  await settle()
  stream.tell(second(7, 'bnr_2'))
  await vi.advanceTimersByTimeAsync(5_000)
  stream.tell(became(null, 'bnr_2'))
  await settle()
  expect(events.slice(2)).toEqual([event([run('RUNNING', 0.083, null, 'bnr_2')]), event([])])
  expect(stream.readableEnded).toBe(false)
})

test('for who does not read, no more is kept than the newest of each run', async () => {
  const stream = new NewsStream()
  stream.begin({ runs: [running] })
  stream.read(0)
  for (let at = 0; at < 10_000; at++) {
    stream.tell(second(at))
    vi.advanceTimersByTime(2_000)
  }
  expect(stream.readableLength).toBeLessThan(2 * 4_096)
  const kept = String(stream.read())
  expect(kept).not.toContain('"second":5000')
  expect(kept.endsWith(event([run('RUNNING', 1, 9_999)]))).toBe(true)
})

test('a beat shows that it is alive, and ends a stream that nobody reads', async () => {
  const read = new NewsStream()
  const events = readAll(read)
  read.begin({ runs: [running] })
  await settle()
  read.beat()
  await settle()
  expect(events.at(-1)).toBe(':\n\n')
  const unread = new NewsStream()
  unread.begin({ runs: [running] })
  unread.beat()
  unread.beat()
  expect([read.destroyed, unread.destroyed]).toEqual([false, true])
})
