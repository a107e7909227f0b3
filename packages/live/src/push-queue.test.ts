import { expect, test } from 'vitest'
import { liveLimits } from './limits.ts'
import { createPushQueue, type PushOutcome } from './push-queue.ts'
import { livePush, type LiveLog, type LivePush } from './push.ts'

const program = { name: 'shop', source: 'profiler' as const }

/** Lets everything happen that does not wait. */
async function settle() {
  for (let turn = 0; turn < 200; turn++) await Promise.resolve()
}

/** A queue, a platform that answers as told (200 in the end), and a clock that only the test moves. */
function queueTo(answers: (PushOutcome | 'lost' | 'unreachable')[], bytesMax = 1e6) {
  const attempts: LivePush[] = []
  /** What the platform has stored, each sequence of a session once. */
  const stored = new Map<string, LivePush>()
  const timers: { at: number; run: () => void }[] = []
  const reasons: string[] = []
  const refusals: string[] = []
  let now = 0
  const queue = createPushQueue({
    session: 'session-1',
    program,
    bytesMax,
    now: () => now,
    random: () => 0,
    onGivenUp: (reason) => reasons.push(reason),
    onRefused: (reason) => refusals.push(reason),
    startTimer(run, ms) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => timers.splice(timers.indexOf(timer), timers.includes(timer) ? 1 : 0)
    },
    send(push) {
      livePush.parse(push)
      attempts.push(structuredClone(push))
      const answer = answers.shift() ?? { status: 200 }
      const key = `${push.session} ${push.sequence}`
      // The answer got lost: it was stored all the same.
      const isStored = answer === 'lost' || (answer !== 'unreachable' && answer.status === 200)
      if (isStored && !stored.has(key)) stored.set(key, structuredClone(push))
      return typeof answer === 'string' ? Promise.reject(new Error(answer)) : Promise.resolve(answer)
    },
  })
  const pass = async (ms: number) => {
    const end = now + ms
    await settle()
    for (;;) {
      const next = timers.filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0]
      if (next === undefined) break
      timers.splice(timers.indexOf(next), 1)
      now = next.at
      next.run()
      await settle()
    }
    now = end
  }
  const storedLogs = () => [...stored.values()].flatMap(({ logs = [] }) => logs)
  return {
    queue,
    attempts,
    pass,
    reasons,
    refusals,
    stored: () => [...stored.values()],
    values: () => storedLogs().flatMap(({ value = [] }) => value),
    lost: () => storedLogs().reduce((sum, { lost = 0 }) => sum + lost, 0),
  }
}

function log(values: readonly number[], item = 'f'): LiveLog {
  return { section: 'functions_timing', item, at: values.map((value) => value), value: [...values] }
}

function range(from: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + index)
}

const section = (value: number, items = 1) => ({
  gauges: {
    status: 'on' as const,
    items: range(0, items).map((id) => ({ id: `${id}`, name: 'depth', levels: { value } })),
  },
})

test('pushes of a session go one after the other, numbered, and the first says which program it is', async () => {
  const { queue, attempts } = queueTo([])
  queue.add({ at: 1, sections: section(1) })
  queue.add({ at: 2, logs: [log([1])] })
  expect(attempts).toHaveLength(1)
  await settle()
  queue.add({ at: 3, sections: section(3) })
  await settle()
  expect(attempts).toEqual([
    { session: 'session-1', sequence: 0, at: 1, program, sections: section(1), logs: [] },
    { session: 'session-1', sequence: 1, at: 2, sections: {}, logs: [log([1])] },
    { session: 'session-1', sequence: 2, at: 3, sections: section(3), logs: [] },
  ])
})

test('while the platform says 429 nothing within the buffer is lost, and each entry arrives once and in order', async () => {
  const busy = { status: 429, retryAfterMs: 2000 }
  const { queue, attempts, pass, values, stored, lost } = queueTo(Array.from({ length: 20 }, () => busy))
  for (let second = 0; second < 60; second++) {
    queue.add({ at: second, sections: section(second), logs: [log(range(second * 100, 100))] })
    await pass(1000)
  }
  expect(attempts.length).toBeGreaterThan(20)
  expect(values()).toEqual(range(0, 6000))
  expect(lost()).toBe(0)
  // What was sent first was tried again as it was; then all that came meanwhile went at once, with the newest snapshot.
  expect(new Set(attempts.slice(0, 21).map((push) => JSON.stringify(push))).size).toBe(1)
  expect(stored()[1]).toMatchObject({ sequence: 1, at: 39, sections: section(39) })
  expect(stored()[1]?.logs).toHaveLength(1)
})

test('Retry-After is kept to; without it the waits double up to half a minute, with some chance', async () => {
  const { queue, attempts, pass } = queueTo([
    { status: 429, retryAfterMs: 90_000 },
    ...Array.from({ length: 9 }, () => 'unreachable' as const),
  ])
  queue.add({ at: 1, sections: section(1) })
  await pass(89_999)
  expect(attempts).toHaveLength(1)
  await pass(1)
  const times: number[] = []
  for (let half = 0; half < 1000 && attempts.length < 11; half++) {
    const before = attempts.length
    await pass(250)
    if (attempts.length > before) times.push((half + 1) * 250)
  }
  const waits = times.map((time, index) => time - (times[index - 1] ?? 0))
  // Exponential from the second attempt on, and half of it where chance is 0.
  expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 15_000, 15_000, 15_000, 15_000])
})

test('what was stored, though its answer got lost, is not sent under another sequence', async () => {
  const { queue, attempts, pass, values } = queueTo(['lost', { status: 503 }, 'lost'])
  queue.add({ at: 1, logs: [log([1, 2])] })
  queue.add({ at: 2, logs: [log([3])] })
  await pass(60_000)
  expect(attempts.map(({ sequence }) => sequence)).toEqual([0, 0, 0, 0, 1])
  expect(values()).toEqual([1, 2, 3])
})

test('memory is bounded: the oldest entries go first, and are told as lost', async () => {
  const bytesMax = 20_000
  const { queue, pass, values, lost, stored } = queueTo(
    Array.from({ length: 30 }, () => 'unreachable' as const),
    bytesMax,
  )
  for (let second = 0; second < 200; second++) {
    queue.add({
      at: second,
      sections: section(second),
      logs: [log(range(second * 50, 50), `f${second % 3}`)],
    })
    expect(queue.state().pendingBytes).toBeLessThanOrEqual(bytesMax)
    await pass(1000)
  }
  await pass(600_000)
  const arrived = values()
  expect(arrived.length).toBeGreaterThan(500)
  // The very first were being sent already; of the others those that came last.
  const kept = arrived.filter((value) => value !== null && value >= 50)
  expect(kept.toSorted((a, b) => Number(a) - Number(b))).toEqual(range(10_000 - kept.length, kept.length))
  expect(arrived.length + lost()).toBe(10_000)
  expect(queue.state()).toMatchObject({ entriesSent: arrived.length, entriesLost: lost(), pendingBytes: 0 })
  expect(stored().at(-1)?.sequence).toBe(stored().length - 1)
})

test.each([401, 403, 404, 410])('after %d it gives up, says why and keeps nothing', async (status) => {
  const { queue, attempts, pass, reasons } = queueTo([{ status, reason: 'This token was revoked.' }])
  queue.add({ at: 1, logs: [log([1])] })
  await pass(60_000)
  queue.add({ at: 2, logs: [log([2])] })
  await pass(60_000)
  expect(attempts).toHaveLength(1)
  expect(reasons).toEqual(['This token was revoked.'])
  expect(queue.state()).toMatchObject({ givenUp: 'This token was revoked.', pendingBytes: 0 })
  expect(await queue.drain(1000)).toBe(false)
})

const refused = (reason: string) => ({ status: 400, reason })

test('a push that is refused for what it holds is lost alone, which is told once for each reason', async () => {
  const { queue, values, reasons, refusals, stored, pass } = queueTo([
    refused('no text'),
    refused('no text'),
    refused('ahead'),
    { status: 200 },
    refused('ahead'),
  ])
  for (const value of range(0, 6)) {
    queue.add({ at: value, logs: [log([value])] })
    await pass(0)
  }
  expect(refusals).toEqual(['no text', 'ahead', 'ahead'])
  expect([values(), reasons]).toEqual([[3, 5], []])
  // The platform had not heard yet which program it is.
  expect(stored()[0]).toMatchObject({ sequence: 3, program })
  expect(queue.state()).toMatchObject({ entriesLost: 4, pushesRefused: 4, givenUp: undefined })
})

test('more entries than a push may have go in several', async () => {
  const { queue, stored, values, pass } = queueTo([], 64e6)
  const many = range(0, liveLimits.entriesMax + 50_000)
  queue.add({ at: 1, logs: [log(many)] })
  await pass(0)
  expect(stored().length).toBeGreaterThan(1)
  expect(values()).toEqual(many)
})

test('more items than a section may have are left out, and counted', async () => {
  const { queue, stored, pass } = queueTo([], 64e6)
  queue.add({ at: 1, sections: section(1, liveLimits.itemsMax + 7) })
  await pass(0)
  const { gauges } = stored()[0]?.sections ?? {}
  expect([gauges?.items?.length, gauges?.left_out]).toEqual([liveLimits.itemsMax, 7])
})

test('what the platform finds too large goes in smaller pushes, until it takes them', async () => {
  const tooLarge = { status: 413 }
  const { queue, attempts, pass, values } = queueTo([tooLarge, tooLarge, tooLarge])
  queue.add({ at: 1, sections: section(1), logs: [log(range(0, 800)), log(range(800, 200), 'g')] })
  await pass(0)
  expect(values().toSorted((a, b) => Number(a) - Number(b))).toEqual(range(0, 1000))
  expect(attempts.map(({ sequence }) => sequence).slice(0, 5)).toEqual([0, 0, 0, 0, 1])
})

test('a platform that takes nothing at all is not asked for ever', async () => {
  const { queue, attempts, pass } = queueTo(Array.from({ length: 1000 }, () => ({ status: 413 })))
  queue.add({ at: 1, sections: section(1, 3), logs: [log(range(0, 10))] })
  await pass(600_000)
  expect(attempts.length).toBeLessThan(100)
  expect(queue.state().givenUp).toBe('The platform takes not even the smallest push.')
})

test('after the program began anew, what is left of the run before is sent first', async () => {
  const { queue, attempts, pass } = queueTo(['unreachable'])
  queue.add({ at: 1, logs: [log([1])] })
  queue.add({ at: 2, logs: [log([2])] })
  queue.begin('session-2', program)
  queue.add({ at: 3, logs: [log([3])] })
  await pass(10_000)
  expect(
    attempts.slice(1).map(({ session, sequence, logs }) => [session, sequence, logs?.[0]?.value]),
  ).toEqual([
    ['session-1', 0, [1]],
    ['session-1', 1, [2]],
    ['session-2', 0, [3]],
  ])
  expect(attempts[3]?.program).toEqual(program)
})

test('drain() waits for what is left, and tries at once what only we wanted to wait for', async () => {
  const { queue, pass, values } = queueTo(['unreachable', 'unreachable', 'unreachable'])
  expect(await queue.drain(1000)).toBe(true)
  queue.add({ at: 1, logs: [log([1])] })
  await pass(600)
  const drained = queue.drain(10_000)
  await pass(10_000)
  expect(await drained).toBe(true)
  expect(values()).toEqual([1])
})

test('drain() ends in time, and says that not all of it arrived', async () => {
  const { queue, pass } = queueTo([{ status: 429, retryAfterMs: 60_000 }])
  queue.add({ at: 1, logs: [log([1])] })
  await pass(0)
  const drained = queue.drain(5000)
  await pass(5000)
  expect(await drained).toBe(false)
})

test('columns that only some of the joined entries have are null for the others', async () => {
  const { queue, attempts, pass } = queueTo([])
  queue.add({ at: 1, sections: section(1) })
  queue.add({ at: 1, logs: [log([1])] })
  queue.add({ at: 2, logs: [{ section: 'functions_timing', item: 'f', at: [2], text: ['Ok'], lost: 4 }] })
  await pass(0)
  expect(attempts[1]?.logs).toEqual([
    { section: 'functions_timing', item: 'f', at: [1, 2], value: [1, null], text: [null, 'Ok'], lost: 4 },
  ])
})
