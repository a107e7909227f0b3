import { livePush, type ReceivedLivePush } from '../push.ts'
import { slotOf } from '../slots.ts'

export interface MadeProgram {
  session?: string
  /** Milliseconds since 1970. */
  startedAt?: number
  /** It pushes at its start and after each of them. */
  seconds?: number
  /** From this second on `pay` takes 9 ms, and 3 ms before. */
  slowFrom?: number
  /** Whether it tells histograms of functions, or percentiles since it began, as hotpath does. */
  hasHistograms?: boolean
}

/** When made programs start, unless somebody says otherwise. */
export const madeStart = Date.UTC(2026, 10, 22, 10)

/**
 * What a shop pushes, of which all is known: `pay` takes most of the time, 20 calls a second; `render` has a spike in every
 * hundredth call; `parse` allocates most; the queue `orders` gets 10 more each second than are taken from it, and `ticks` is as
 * empty as it is busy; the thread `worker` keeps a megabyte of each second, and `main` gives back what it takes.
 */
export function madeProgram({
  session = 'made-shop-1',
  startedAt = madeStart,
  seconds = 120,
  slowFrom = Infinity,
  hasHistograms = true,
}: MadeProgram = {}): ReceivedLivePush[] {
  return Array.from({ length: seconds + 1 }, (_, second) => {
    const slow = Math.max(0, second - slowFrom)
    const duration = (values: Readonly<Record<number, number>>) => distribution(values, hasHistograms)
    return livePush.parse({
      session,
      sequence: second,
      at: startedAt + second * 1000,
      program: {
        name: 'shop',
        source: hasHistograms ? 'profiler' : 'hotpath',
        pid: 4242,
        started_at: startedAt,
      },
      sections: {
        functions_timing: {
          status: 'on',
          items: [
            {
              id: '1',
              name: 'shop::pay',
              place: { file: 'src/pay.rs', line: 12 },
              distributions: { duration: duration({ 3e6: 20 * (second - slow), 9e6: 20 * slow }) },
            },
            {
              id: '2',
              name: 'shop::render',
              distributions: { duration: duration({ 100_000: 98 * second, 1e7: 2 * second }) },
            },
            { id: '3', name: 'shop::parse', distributions: { duration: duration({ 2000: 300 * second }) } },
          ],
        },
        functions_alloc: {
          status: 'on',
          items: [
            {
              id: '1',
              name: 'shop::pay',
              counters: { allocations: 40 * second },
              distributions: { allocated: { count: 20 * second, total: 20_000 * second } },
            },
            {
              id: '3',
              name: 'shop::parse',
              counters: { allocations: 600 * second },
              distributions: { allocated: { count: 300 * second, total: 3_000_000 * second } },
            },
          ],
        },
        channels: {
          status: 'on',
          items: [
            {
              id: '1',
              name: 'orders',
              kind: 'bounded[5000]',
              state: 'active',
              counters: { sent: 50 * second, received: 40 * second },
              levels: { queued: 10 * second, capacity: 5000 },
            },
            {
              id: '2',
              name: 'ticks',
              kind: 'unbounded',
              state: 'active',
              counters: { sent: 1000 * second, received: 1000 * second },
              levels: { queued: second % 2 },
            },
          ],
        },
        threads: {
          status: 'on',
          items: [
            {
              id: 'process',
              name: 'process',
              levels: { rss: 5e7 + 1e6 * second, heap_used: 2e7 + (second % 10) * 1e6 },
            },
            {
              id: '11',
              name: 'worker',
              counters: {
                cpu_user: 6e8 * second,
                cpu_system: 1e8 * second,
                allocated: 4e6 * second,
                freed: 3e6 * second,
              },
            },
            {
              id: '10',
              name: 'main',
              counters: {
                cpu_user: 5e7 * second,
                cpu_system: 0,
                allocated: 2e6 * second,
                freed: 2e6 * second,
              },
            },
          ],
        },
        gauges: {
          status: 'on',
          items: [{ id: '1', name: 'open orders', counters: { logged: second }, levels: { value: 42 } }],
        },
        sql: {
          status: 'on',
          items: [
            {
              id: '1',
              name: "SELECT * FROM orders WHERE mail = 'ann@example.com'",
              texts: { query: "SELECT * FROM orders WHERE mail = 'ann@example.com'", route: 'GET /orders' },
              distributions: { duration: duration({ 2e6: 10 * second }) },
            },
          ],
        },
        functions_cpu: { status: 'off', reason: 'CPU profiling not available' },
      },
      logs:
        second === 0
          ? []
          : [
              {
                section: 'functions_timing',
                item: '1',
                at: Array.from({ length: 20 }, (_each, call) => startedAt + (second - 1) * 1000 + call * 50),
                value: Array.from({ length: 20 }, (_each, call) => (slow > 0 ? 9e6 : 3e6) + call),
                thread: Array.from({ length: 20 }, () => 'worker'),
              },
              {
                section: 'sql',
                item: '1',
                at: [startedAt + second * 1000],
                value: [2e6],
                text: [`SELECT * FROM orders WHERE mail = 'bob${second}@example.com'`],
              },
            ],
    })
  })
}

function distribution(values: Readonly<Record<number, number>>, hasHistogram: boolean) {
  const known = Object.entries(values)
    .map(([value, count]) => ({ value: Number(value), count }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => a.value - b.value)
  const count = known.reduce((sum, each) => sum + each.count, 0)
  return {
    count,
    total: known.reduce((sum, each) => sum + each.value * each.count, 0),
    ...(hasHistogram
      ? {
          max: known.at(-1)?.value ?? 0,
          histogram: {
            slots: known.map(({ value }) => slotOf(value)),
            counts: known.map((each) => each.count),
          },
        }
      : { percentiles: { 95: known.at(-1)?.value ?? 0 } }),
  }
}
