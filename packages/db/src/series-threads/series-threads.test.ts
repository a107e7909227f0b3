import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import {
  actionCounters,
  answerOfSums,
  answerQuestion,
  encodeTick,
  generatorGauges,
  joinLive,
  planQuestion,
  profileCounters,
  sealedActions,
  sealedMinutes,
  slotOf,
  sumLive,
  sumUp,
  type ActionMinutes,
  type LiveTick,
  type SeriesChunk,
  type SeriesQuestion,
} from '@flamegate/series'
import { expect, test, vi } from 'vitest'
import { rolledUp, type JobName, type Jobs } from './jobs.ts'
import { SeriesThreads } from './series-threads.ts'

const run = { containers: new Set<number>() }
const rolledUpTo = { rolledTo: 0, hoursTo: 0 }
const ticks = [0, 1].flatMap((agent) =>
  Array.from({ length: 60 }, (_, second): LiveTick => ({ agent, second, bytes: tickBytes(agent, second) })),
)

function tickBytes(agent: number, second: number): Uint8Array {
  const actions = Array.from({ length: 8 }, (_, action) => {
    const slots = Uint16Array.from([1, 2, 3], (times) => slotOf(1_000 * times * (action + 1) + second))
    const counters = Float64Array.from(actionCounters, (name) => (name === 'count' ? 3 + agent : 0))
    const serviceTime = { slots, counts: Uint32Array.of(1, 1, 1 + agent) }
    const responseTime = { slots, counts: Uint32Array.of(1, agent + 1, 1) }
    return { profile: action % 2, action, counters, serviceTime, responseTime }
  })
  const profiles = [0, 1].map(() => Float64Array.from(profileCounters, () => 10))
  return encodeTick({ second, actions, profiles, generator: Float64Array.from(generatorGauges, () => 5) })
}

/** Threads that are there, and are asked for anything. */
async function startThreads(threadsMax: number): Promise<SeriesThreads> {
  const threads = new SeriesThreads({ threadsMax, leastBytes: 0 })
  for (let started = 0; started < threadsMax; started++) {
    threads.share('sumLive', [], { summing: { rowsOf: 'all', bucketSeconds: 10 }, run })
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await isIdle(threads, started + 1)
  }
  return threads
}

async function isIdle(threads: SeriesThreads, count: number): Promise<void> {
  await vi.waitFor(() => expect(threads.idle).toBe(count), { timeout: 60_000, interval: 5 })
}

/** What another thread makes of a job of which this one does nothing until that one is done with it. */
async function madeByOther<Name extends JobName>(
  threads: SeriesThreads,
  name: Name,
  given: readonly Jobs[Name]['given'][],
  asked: Jobs[Name]['asked'],
): Promise<Jobs[Name]['made']> {
  const { isMine, others } = threads.share(name, given, asked)
  await isIdle(threads, 1)
  expect(isMine(0)).toBe(false)
  const [made, ...more] = await others()
  if (made === undefined || more.length > 0) throw new Error('One other thread did it')
  return made
}

function sealedAlone(): { chunks: SeriesChunk[]; minutes: ActionMinutes } {
  const minutes: ActionMinutes = new Map()
  return { chunks: [...sealedActions(ticks, [], minutes)].flat(), minutes }
}

test('a process ends that has nothing else to do', async () => {
  const program = `
    import { SeriesThreads } from ${JSON.stringify(new URL('series-threads.ts', import.meta.url).href)}
    const threads = new SeriesThreads({ threadsMax: 1, leastBytes: 0 })
    const asked = { summing: { rowsOf: 'all', bucketSeconds: 10 }, run: { containers: new Set() } }
    threads.share('sumLive', [], asked)
    const waiting = setInterval(() => {
      if (threads.idle === 0) return
      clearInterval(waiting)
      console.log('A thread is there.')
    }, 5)`
  const folder = await mkdtemp(path.join(tmpdir(), 'flamegate-thread-'))
  const file = path.join(folder, 'program.mjs')
  await writeFile(file, program)
  const child = spawn(process.execPath, [file], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => (said += bytes.toString()))
  await once(child, 'close')
  await rm(folder, { recursive: true })
  expect([child.exitCode, said]).toEqual([0, 'A thread is there.\n'])
})

const question = { kind: 'requests', from: 0, to: 60, actions: [0, 1, 2, 3, 4], pointsMax: 6 } as const
const plan = planQuestion(question, rolledUpTo)

test('another thread makes the same of ticks and chunks as this one', async () => {
  const threads = await startThreads(1)
  const alone = sealedAlone()

  const sealed = await madeByOther(threads, 'sealActions', ticks, { before: [] })
  expect(sealed.chunks.map(plainly)).toEqual(alone.chunks.map(plainly))
  const minutesOf = (minutes: ActionMinutes) => [...sealedMinutes([minutes], 0, [])].flat().map(plainly)
  expect(minutesOf(sealed.minutes)).toEqual(minutesOf(alone.minutes))

  const data = { chunks: alone.chunks, live: [], run }
  const parts = await madeByOther(threads, 'sumUp', alone.chunks, { question, plan, run })
  const expected = answerQuestion(question, plan, data)
  expect(expected.groups[0]?.buckets).toHaveLength(6)
  expect(answerOfSums(question, plan, parts)).toEqual(expected)

  const summing = { rowsOf: 'actions', bucketSeconds: 10 } as const
  const sums = await madeByOther(threads, 'sumLive', ticks, { summing, run })
  const live = (liveSums: typeof sums) => {
    const asked: SeriesQuestion<'requests'> = {
      kind: 'requests',
      from: 0,
      to: 60,
      apart: 'action',
      pointsMax: 6,
    }
    return answerQuestion(asked, planQuestion(asked, rolledUpTo), { chunks: [], live: [], liveSums, run })
  }
  expect(live(sums)).toEqual(live(sumLive(ticks, summing, run)))

  const tens = alone.chunks.filter(({ level, isApart }) => level === 10 && isApart)
  const series = tens.map(({ kind, profile, action }) => ({ kind, profile, action }))
  const given = tens.map(({ bytes }, place) => ({ place, bytes }))
  for (const seconds of [600, 3_600] as const) {
    const asked = { series, startSecond: 0, seconds }
    // oxlint-disable-next-line no-await-in-loop -- there is one other thread
    const rolled = await madeByOther(threads, 'rollUp', given, asked)
    const rolledAlone = [...rolledUp(given, asked, () => true)].flat()
    expect(rolledAlone.some(({ level }) => level === seconds)).toBe(true)
    expect(rolled.map(plainly)).toEqual(rolledAlone.map(plainly))
  }
})

test('what several threads made together is what one makes', async () => {
  const threads = await startThreads(2)
  const { chunks } = sealedAlone()
  const sums = threads.share('sumUp', chunks, { question, plan, run })
  const own = sumUp(question, plan, { chunks, live: [], run }, sums.isMine)
  expect(answerOfSums(question, plan, [...own, ...(await sums.others()).flat()])).toEqual(
    answerQuestion(question, plan, { chunks, live: [], run }),
  )

  await isIdle(threads, 2)
  const minutes: ActionMinutes = new Map()
  const sealing = threads.share('sealActions', ticks, { before: [] })
  const made = [...sealedActions(ticks, [], minutes, sealing.isMine)].flat()
  const others = await sealing.others()
  expect([...made, ...others.flatMap((other) => other.chunks)].toSorted(byAction).map(plainly)).toEqual(
    chunks.toSorted(byAction).map(plainly),
  )

  await isIdle(threads, 2)
  const summing = { rowsOf: 'agents', bucketSeconds: 20 } as const
  const live = threads.share('sumLive', ticks, { summing, run })
  const parts = [sumLive(ticks, summing, run, live.isMine), ...(await live.others())]
  const asked: SeriesQuestion<'requests'> = {
    kind: 'requests',
    from: 0,
    to: 60,
    apart: 'agent',
    pointsMax: 3,
  }
  const answerOf = (liveSums: (typeof parts)[number]) =>
    answerQuestion(asked, planQuestion(asked, rolledUpTo), { chunks: [], live: [], liveSums, run })
  expect(answerOf(joinLive(summing, parts))).toEqual(answerOf(sumLive(ticks, summing, run)))
})

test('what is thrown in a thread is told, and the thread goes on', async () => {
  const threads = await startThreads(1)
  const summing = { rowsOf: 'all', bucketSeconds: 10 } as const
  const broken = sealedAlone().chunks.map((chunk) => ({ ...chunk, bytes: Uint8Array.of(1) }))
  const { others } = threads.share('sumUp', broken, { question, plan, run })
  await isIdle(threads, 1)
  await expect(others()).rejects.toThrow('version 1')
  const made = await madeByOther(threads, 'sumLive', ticks, { summing, run })
  expect(made.tables.size).toBe(2)
})

test('nobody else is asked for a little, or while all are busy', async () => {
  const little = new SeriesThreads({ threadsMax: 1 })
  const summing = { rowsOf: 'all', bucketSeconds: 10 } as const
  const shared = little.share('sumLive', ticks, { summing, run })
  expect([0, 0, 5].map(shared.isMine)).toEqual([true, true, true])
  expect(await shared.others()).toEqual([])

  const threads = await startThreads(1)
  threads.share('sumLive', ticks, { summing, run })
  expect(threads.idle).toBe(0)
  const alone = threads.share('sumLive', ticks, { summing, run })
  expect([3, 4].map(alone.isMine)).toEqual([true, true])
  expect(await alone.others()).toEqual([])
})

function byAction(a: SeriesChunk, b: SeriesChunk): number {
  return a.action - b.action || a.level - b.level || Number(a.isApart) - Number(b.isApart)
}

function plainly({ bytes, ...chunk }: SeriesChunk) {
  return { ...chunk, bytes: Buffer.from(bytes).toString('base64') }
}
