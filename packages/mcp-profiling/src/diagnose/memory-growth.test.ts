import { expect, test } from 'vitest'
import type { McpReport } from '../report.ts'
import { madeReport } from '../testing/made-report.ts'
import { memoryGrowth } from './memory-growth.ts'

const megabyte = 1e6

/** With what is in use after garbage collections, one second after the other. */
function withHeap(megabytes: readonly number[]): McpReport {
  const heap = megabytes.map((value, second) => ({
    atMs: 1000 * second,
    heapUsedBytes: value * megabyte,
    isAfterGc: true,
  }))
  return madeReport({
    inside: { runtime: 'node', heap, gc: null, eventLoopDelay: null, hotFunctions: [], growth: [] },
  })
}

const seconds = Array.from({ length: 20 }, (_, second) => second)

test('memoryGrowth() tells growth, rate, and that it goes on', () => {
  const growth = memoryGrowth(withHeap(seconds.map((second) => 30 + second)))
  expect(growth).toMatchObject({ of: 'heap_after_gc', samples: 20, isRising: true })
  expect(growth?.growthBytes).toBeCloseTo(19 * megabyte)
  expect(growth?.bytesPerHour).toBeCloseTo(3600 * megabyte)
})

test.each([
  ['stays', seconds.map((second) => 30 + (second % 3))],
  ['fills a cache, and then no more', seconds.map((second) => 30 + Math.min(second, 6))],
  ['goes up and down', seconds.map((second) => 30 + 5 * Math.sin(second))],
  ['falls', seconds.map((second) => 60 - second)],
])('memory that %s is not rising', (_what, megabytes) => {
  expect(memoryGrowth(withHeap(megabytes))).toMatchObject({ isRising: false })
})

test('resident memory tells it where the heap was not seen, after the start', () => {
  const resources = seconds.map((second) => ({
    atMs: 1000 * second,
    cpuPercent: 50,
    // The start allocates, which is no growth.
    rssBytes: (second < 4 ? 20 * second : 80 + second) * megabyte,
    readBytes: null,
    writeBytes: null,
    processes: 1,
    threads: 1,
    openFiles: null,
  }))
  const growth = memoryGrowth(madeReport({ resources }))
  expect(growth).toMatchObject({ of: 'resident_memory', samples: 15, isRising: true })
  expect(growth?.growthBytes).toBeLessThan(20 * megabyte)
})

test('memory that was hardly seen is not judged', () => {
  expect(memoryGrowth(madeReport({ resources: [] }))).toBeUndefined()
})
