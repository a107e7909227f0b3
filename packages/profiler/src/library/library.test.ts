import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { CPUProfiler, PerformanceMetrics, PerformanceMonitor } from '../index.ts'
import type { LeakedObjects, MemoryUsage, PerformanceAlert } from '../index.ts'

const sample = join(import.meta.dirname, '../../samples/kept-sessions.ts')

/** A clock that stands where it is put. */
function standingClock() {
  let atMs = 1000
  return { now: () => atMs, pass: (ms: number) => (atMs += ms) }
}

function busyFor(ms: number): number {
  const until = performance.now() + ms
  let sum = 0
  while (performance.now() < until) for (let each = 0; each < 1000; each++) sum += Math.sqrt(each)
  return sum
}

test('a CPU profile has the phases that are marked, and names the function that is busy', () => {
  const profile = new CPUProfiler({ samplingIntervalMs: 0.2 }).startProfile('order')
  profile.mark('validation_start')
  profile.mark('validation_end')
  profile.mark('cached')
  profile.mark('processing_start')
  busyFor(150)
  profile.mark('processing_end')
  profile.mark('response_start')
  const result = profile.end()
  expect(Object.keys(result.phases).toSorted()).toEqual(['processing', 'response', 'validation'])
  expect(result.phases['processing']).toBeGreaterThanOrEqual(149)
  expect(result.totalTime).toBeGreaterThanOrEqual(result.phases['processing'] ?? Infinity)
  expect(result.marks.map(({ label }) => label)).toEqual(['cached'])
  expect(result.hotFunctions[0]).toMatchObject({ name: 'busyFor' })
  expect(result.hotFunctions[0]?.place).toContain('library.test.ts:')
  expect(result.profile.samples?.length).toBeGreaterThan(20)
  expect(profile.end()).toBe(result)
})

test('what happens twice is one phase, and an end without a beginning is a mark', () => {
  const profile = new CPUProfiler().startProfile('twice')
  for (let round = 0; round < 2; round++) {
    profile.mark('query_start')
    busyFor(5)
    profile.mark('query_end')
  }
  profile.mark('query_end')
  const { phases, marks } = profile.end()
  expect(phases['query']).toBeGreaterThanOrEqual(10)
  expect(marks.map(({ label }) => label)).toEqual(['query_end'])
})

test('what is kept between two snapshots is told by class', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [sample])
  const found: {
    session: LeakedObjects
    kept: number
    reachableGrowth: number
    unchanged: LeakedObjects[]
    usage: MemoryUsage
  } = JSON.parse(stdout)
  expect(found.session).toMatchObject({ count: 5000, countAfter: found.kept })
  expect(found.session.bytes).toBeGreaterThan(5000 * 8)
  expect(found.reachableGrowth).toBeGreaterThan(found.session.bytes)
  expect(found.unchanged).toEqual([])
  expect(found.usage.heapUsed).toBeLessThan(found.usage.heapLimit)
})

test('operations are counted with their times, errors and peaks', () => {
  const clock = standingClock()
  const metrics = new PerformanceMetrics(clock.now)
  expect(metrics.getPercentile(95)).toBeNull()
  for (let each = 1; each <= 100; each++) {
    const timer = metrics.startTimer('search')
    clock.pass(each)
    timer.end(
      each > 95 ? { success: false, error: new Error('too busy') } : { success: true, resultSize: 10 * each },
    )
    timer.end()
  }
  const login = metrics.startTimer('login')
  clock.pass(10)
  expect(login.end()).toBe(10)
  expect(metrics.getAverageResponseTime('search')).toBeCloseTo(50.5)
  // Slots of the histogram are 3 % wide.
  expect(metrics.getPercentile(95, 'search')).toBeCloseTo(95, -1)
  expect(metrics.getErrorRate('search')).toBe(0.05)
  expect(metrics.getErrorRate()).toBeCloseTo(5 / 101)
  expect(metrics.getThroughput()).toBeCloseTo(101 / 5.06)
  // In the first second, 44 had ended: 1 + 2 + … + 44 is 990.
  expect(metrics.getPeakThroughput()).toBe(44)
  const report = metrics.getReport()
  expect(report.operations['search']).toMatchObject({
    count: 100,
    errors: 5,
    errorsByMessage: [{ message: 'too busy', count: 5 }],
    meanResultBytes: 480,
  })
  expect(report.resourceUsage.rssBytes).toBeGreaterThan(1e6)
  expect(() => metrics.getPercentile(0)).toThrow(RangeError)
})

test('a monitor says when it is too slow and fails too often, to a callback and a webhook, and when that is over', async () => {
  const heard: { body: PerformanceAlert; signature: string | undefined }[] = []
  const hook = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const signature = request.headers['webhook-signature']
      heard.push({ body: JSON.parse(Buffer.concat(pieces).toString()), signature: String(signature) })
      response.writeHead(204).end()
    })
  }).listen(0, '127.0.0.1')
  await once(hook, 'listening')
  const address = hook.address()
  const port = typeof address === 'object' ? address?.port : 0
  const clock = standingClock()
  const metrics = new PerformanceMetrics(clock.now)
  const monitor = new PerformanceMonitor()
  const alerts: PerformanceAlert[] = []
  const call = (ms: number, success: boolean) => {
    const timer = metrics.startTimer('call')
    clock.pass(ms)
    timer.end(success ? { success } : { success, error: 'no' })
  }
  monitor.start(metrics, {
    metrics: ['responseTime', 'throughput'],
    alertThresholds: { responseTime: 100 },
    intervalMs: 20,
    onAlert: (alert) => alerts.push(alert),
    webhook: { url: `http://127.0.0.1:${port}/`, secret: `whsec_${Buffer.alloc(32, 7).toString('base64')}` },
  })
  call(500, false)
  await expect.poll(() => alerts.map(({ type }) => type)).toEqual(['slow_response', 'high_error_rate'])
  // Nothing happens: what is open stays open.
  await sleep(60)
  expect(alerts).toHaveLength(2)
  call(1, true)
  await expect
    .poll(() => alerts.map(({ type, state }) => `${type} ${state}`))
    .toEqual(['slow_response open', 'high_error_rate open', 'slow_response closed', 'high_error_rate closed'])
  monitor.stop()
  expect(monitor.latest()).toMatchObject({ cpuPercent: null, memoryPercent: null })
  await expect.poll(() => heard.map(({ body }) => `${body.type} ${body.state}`).toSorted()).toHaveLength(4)
  expect(heard.every(({ signature }) => signature?.startsWith('v1,') === true)).toBe(true)
  hook.close()
})
