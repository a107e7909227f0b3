import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { BenchChange, BenchEvent, JobQueue, OpenBenchRun, Stores } from '../ports/index.ts'
import { mindBenchRuns, type EarlierLooks } from './mind-bench-runs.ts'

const watched: OpenBenchRun = { workspaceId: 'ws_1', id: 'bnr_watched', unwatchedMs: 900 }
const forgotten: OpenBenchRun = { workspaceId: 'ws_2', id: 'bnr_forgotten', unwatchedMs: 6_000 }

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => vi.useRealTimers())

/** Two runs, of which one is seen to by nobody, and workers that look after them. */
function surroundings() {
  const queued: string[] = []
  const events: Record<string, BenchEvent[]> = { [watched.id]: [], [forgotten.id]: [] }
  let isAway = false
  const add: JobQueue['add'] = async (name, { taskId }) => void queued.push(`${name} ${taskId}`)
  const change = async (
    _caller: unknown,
    id: string,
    decide: (run: { events: BenchEvent[] }, shards: [], now: Date) => BenchChange,
  ) => {
    const before = events[id] ?? []
    events[id] = [...before, ...decide({ events: before }, [], new Date()).events]
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of both only these are asked
  const deps = { queue: { add }, stores: { benchRuns: { change } } } as unknown as {
    queue: JobQueue
    stores: Stores
  }
  const check = async () => {
    if (isAway) throw new Error('away')
  }
  const worker = () => {
    const earlier: EarlierLooks = { awaySince: undefined }
    return (runs: readonly OpenBenchRun[]) => mindBenchRuns(runs, earlier, { ...deps, check })
  }
  return { queued, events, worker, setAway: (away: boolean) => void (isAway = away) }
}

test('a run that nobody sees to is given to a worker, by a job of its own', async () => {
  const { queued, events, worker } = surroundings()
  const look = worker()
  for (let second = 0; second < 5; second++) {
    await look([watched, forgotten])
    vi.advanceTimersByTime(1_000)
  }
  // Whoever was away itself does not know yet.
  expect(queued).toEqual([])
  await look([watched, forgotten])
  expect(queued).toEqual([`end_bench_run ${forgotten.id}`])
  vi.advanceTimersByTime(13_000)
  await look([watched, forgotten])
  expect(queued).toHaveLength(1)
  expect(Object.values(events).flat()).toEqual([])
})

test('that the queue was away is told in every run, once, however many workers saw it', async () => {
  const { events, worker, setAway } = surroundings()
  const workers = [worker(), worker()]
  setAway(true)
  for (const look of workers) await expect(look([watched])).rejects.toThrow('away')
  setAway(false)
  for (const look of [...workers, ...workers]) await look([watched, forgotten])
  const words = Object.values(events).map((told) => told.map((event) => event.words))
  expect(words).toEqual([
    [expect.stringContaining('The job queue could not be reached')],
    [expect.stringContaining('The job queue could not be reached')],
  ])
})
