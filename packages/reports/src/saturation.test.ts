import { describe, expect, test } from 'vitest'
import { loadLevels } from './load-levels.ts'
import type { Moment } from './measured-run.ts'
import { findSaturation } from './saturation.ts'

/**
 * A closed system by its asymptotes (Denning and Buzen 1978): users think for `thinkMs`, alone they wait for `serviceMs`, and it takes
 * no more than `rateMax`. What is beyond waits as Little's law has it.
 */
function closedSystem(
  usersMax: number,
  { rateMax, serviceMs, thinkMs }: { rateMax: number; serviceMs: number; thinkMs: number },
): Moment[] {
  return Array.from({ length: usersMax }, (_, index) => {
    const users = index + 1
    const ratePerSecond = Math.min(rateMax, (1000 * users) / (serviceMs + thinkMs))
    const latency = Math.max(serviceMs, (1000 * users) / rateMax - thinkMs)
    return {
      second: index,
      seconds: 1,
      count: ratePerSecond,
      load: users,
      ratePerSecond,
      p50Ms: latency,
      p95Ms: latency,
      errorShare: 0,
    }
  })
}

const judged = (moments: Moment[]) => findSaturation(loadLevels(moments))

describe('findSaturation()', () => {
  test('finds the throughput, and the load from which on there is no more of it', () => {
    // The asymptotes cross at 500 × (20 + 80) ms = 50 users.
    const found = judged(closedSystem(120, { rateMax: 500, serviceMs: 20, thinkMs: 80 }))
    expect(found.outcome).toBe('saturated')
    if (found.outcome !== 'saturated') return
    expect(found.rateMax).toBe(500)
    expect(Math.abs(found.level.load - 50)).toBeLessThanOrEqual(6)
    // L = λW of the highest load, within the width of a level.
    const users = (found.top.ratePerSecond * (found.top.latencyMs + 80)) / 1000
    expect(users).toBeCloseTo(found.top.load, 5)
  })

  test('is none while throughput follows the load', () => {
    expect(judged(closedSystem(45, { rateMax: 500, serviceMs: 20, thinkMs: 80 })).outcome).toBe(
      'not_saturated',
    )
  })

  test('is none where throughput is level and latency stays: something else keeps the users', () => {
    const level = closedSystem(120, { rateMax: 500, serviceMs: 20, thinkMs: 80 })
    expect(judged(level.map((moment) => ({ ...moment, p95Ms: 20 }))).outcome).toBe('not_saturated')
  })

  test('cannot be told from one load', () => {
    const moments = closedSystem(120, { rateMax: 500, serviceMs: 20, thinkMs: 80 })
    expect(judged(moments.map((moment) => ({ ...moment, load: 10 }))).outcome).toBe('unknown')
    expect(judged([]).outcome).toBe('unknown')
  })
})
