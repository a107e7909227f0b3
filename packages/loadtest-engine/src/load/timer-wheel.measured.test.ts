import * as fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { Timed, TimerWheel } from './timer-wheel.ts'

class Waiting extends Timed {
  readonly dues: { now: number; due: number }[] = []
  readonly #then: () => void

  constructor(then = () => {}) {
    super()
    this.#then = then
  }

  onDue(now: number, due: number): void {
    this.dues.push({ now, due })
    this.#then()
  }
}

/** With a clock that goes as fast as it is told to. */
function onClock(task: (advance: (ms: number) => void) => void): void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  try {
    task((ms) => void vi.advanceTimersByTime(ms))
  } finally {
    vi.useRealTimers()
  }
}

test('everybody is called once, not before they are due, and in the millisecond after', () => {
  fc.assert(
    fc.property(
      fc.array(
        fc.record({ ms: fc.double({ min: 0, max: 10_000, noNaN: true }), isCancelled: fc.boolean() }),
        {
          maxLength: 60,
        },
      ),
      (waits) => {
        onClock((advance) => {
          const wheel = new TimerWheel()
          const began = performance.now()
          const all = waits.map(({ ms, isCancelled }) => ({ ms, isCancelled, timed: new Waiting() }))
          for (const { ms, timed } of all) wheel.add(timed, began + ms)
          for (const { isCancelled, timed } of all) if (isCancelled) wheel.cancel(timed)
          advance(10_010)
          for (const { ms, isCancelled, timed } of all) {
            expect(timed.dues).toHaveLength(isCancelled ? 0 : 1)
            for (const { now, due } of timed.dues) {
              expect(due).toBeGreaterThanOrEqual(began + ms)
              expect(now).toBeGreaterThanOrEqual(due)
              expect(now).toBeLessThanOrEqual(began + ms + 3)
            }
          }
        })
      },
    ),
    { numRuns: 60 },
  )
})

test('who is called may wait again, and end the waiting of others', () => {
  onClock((advance) => {
    const wheel = new TimerWheel()
    const began = performance.now()
    const other = new Waiting()
    const first: Waiting = new Waiting(() => {
      wheel.cancel(other)
      if (first.dues.length < 3) wheel.add(first, began + first.dues.length * 3000)
    })
    wheel.add(other, began + 5)
    wheel.add(first, began + 5)
    wheel.add(new Waiting(), began + 5)
    advance(20_000)
    expect([first.dues.length, other.dues.length]).toEqual([3, 0])
    expect(first.dues.map(({ due }) => Math.round(due - began))).toEqual([5, 3000, 6000])
  })
})
