import { expect, test } from 'vitest'
import { seededRandom } from '../seeded-random.ts'
import { capacitySearch } from './capacity-search.ts'
import type { CapacityMeasurement, CapacityOptions, CapacityResult } from './capacity-search.ts'

type Server = (rps: number) => Partial<CapacityMeasurement>

function search(options: Partial<CapacityOptions>, server: Server): CapacityResult {
  const steps = capacitySearch({ latencyMsMax: 100, targetRps: null, ...options })
  let step = steps.next()
  for (let count = 0; !step.done; count += 1) {
    expect(count).toBeLessThan(80)
    const { rps } = step.value
    step = steps.next({
      requestsPerSecond: rps,
      latencyMs: 10,
      errorRate: 0,
      cpuPercent: null,
      generatorLimited: null,
      ...server(rps),
    })
  }
  return step.value
}

/** Waiting in front of one that answers so many calls per second: 5 ms, and more the busier it is. */
function queue(ratePerSecond: number): Server {
  return (rps) => {
    const load = rps / ratePerSecond
    return load < 1 ? { latencyMs: 5 / (1 - load) } : { latencyMs: 5000, requestsPerSecond: ratePerSecond }
  }
}

test('capacitySearch() finds the rate at which the latency is reached, within the precision', () => {
  // 5 ms ÷ (1 − load) is 100 ms at a load of 0.95.
  const result = search({ targetRps: 200 }, queue(400))
  expect(result).toMatchObject({ outcome: 'found', brokeFirst: 'latency' })
  expect(result.capacityRps).toBeLessThanOrEqual(380)
  expect(result.capacityRps).toBeGreaterThanOrEqual(380 / 1.06)
  expect(result.headroom).toBeCloseTo((result.capacityRps ?? 0) / 200 - 1)
  expect(result.trials.some(({ rps, purpose }) => rps === 200 && purpose === 'target')).toBe(true)
  expect(result.brokeBecause).toMatch(/^p95 was .* ms, 100 ms is allowed$/)
})

test('capacitySearch() comes near the truth with measurements that are wrong now and then', () => {
  const near = Array.from({ length: 40 }, (_, at) => {
    const random = seededRandom(at + 1)
    const server = queue(400)
    const { capacityRps } = search({}, (rps) => {
      const seen = server(rps)
      // One in twenty says the opposite.
      return random() < 0.05
        ? { latencyMs: (seen.latencyMs ?? 0) > 100 ? 20 : 300, requestsPerSecond: rps }
        : seen
    })
    return capacityRps !== null && capacityRps > 340 && capacityRps < 400
  })
  expect(near.filter(Boolean).length).toBeGreaterThanOrEqual(38)
})

test('capacitySearch() says at least, of a server that keeps up with the highest rate', () => {
  expect(search({ rpsMax: 1000, targetRps: 50 }, () => ({}))).toMatchObject({
    outcome: 'at_least',
    capacityRps: 1000,
    brokenRps: null,
    brokeFirst: null,
    headroom: 19,
  })
})

test.each([
  [{ latencyMs: 200 }, 'latency'],
  [{ errorRate: 0.2 }, 'errors'],
  [{ latencyMs: null }, 'no_answer'],
  [{ requestsPerSecond: 3 }, 'throughput'],
] as const)(
  'capacitySearch() says that a server that always answers %j has none: %s',
  (answer, brokeFirst) => {
    expect(search({ rpsMax: 1000, targetRps: 50 }, () => answer)).toMatchObject({
      outcome: 'at_most',
      capacityRps: null,
      brokenRps: 10,
      brokeFirst,
      headroom: null,
    })
  },
)

test('capacitySearch() stops where what measures is too slow, and claims no more than was met', () => {
  const result = search({}, (rps) => (rps > 300 ? { generatorLimited: 'its processor was busy' } : {}))
  expect(result).toMatchObject({
    outcome: 'generator_limited',
    capacityRps: 269,
    brokenRps: null,
    brokeFirst: null,
  })
})

test('capacitySearch() takes back a rate that was met by chance', () => {
  const seen = new Map<number, number>()
  const { capacityRps } = search({}, (rps) => {
    seen.set(rps, (seen.get(rps) ?? 0) + 1)
    // Above 50 it is met the first time only.
    return {
      latencyMs: rps > 50 && (seen.get(rps) ?? 0) > 1 ? 500 : 10,
      requestsPerSecond: rps > 2000 ? 1 : rps,
    }
  })
  expect(capacityRps).toBeGreaterThan(40)
  expect(capacityRps).toBeLessThanOrEqual(50)
})
