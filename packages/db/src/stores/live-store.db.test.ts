import { randomBytes } from 'node:crypto'
import { newId } from '@flamegate/contract'
import { livePush, type LiveItem, type LivePush, type ReceivedLivePush } from '@flamegate/live'
import { LiveAppGone, NotPermitted, type LiveApp } from '@flamegate/operations/ports'
import { describe, expect, test } from 'vitest'
import { findLiveAppsToSweep } from '../live-apps-to-sweep.ts'
import { inSequence, prepareProject } from '../testing.ts'
import { levelOf } from './live-sweep.ts'

const { at, ada, projectId, asAda, asBob, asViewer } = prepareProject({ roleOfAda: 'member' })

const live = () => at.stores.live

let names = 0
async function app(): Promise<LiveApp> {
  const wanted = {
    id: newId('liveApp'),
    workspaceId: ada.workspaceId,
    projectId,
    name: `app ${++names}`,
  }
  const made = await live().register(asAda(), wanted, 100)
  if (made === undefined) throw new Error('There are too many')
  return made
}

const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000
const session = 'session-1'
/** As it comes out of the check at the edge. */
const push = (rest: Partial<LivePush> & { sequence: number }): ReceivedLivePush =>
  livePush.parse({ session, at: Date.now(), ...rest })
const item = (name: string, calls: number): LiveItem => ({ id: name, name, counters: { calls } })
const timing = (calls: number, name = 'f') => ({
  sections: { functions_timing: { status: 'on' as const, items: [item(name, calls)] } },
})
const log = (name: string, times: number[]) => ({
  section: 'functions_timing' as const,
  item: name,
  at: times,
  value: times.map((_, place) => place),
})
const find = async (id: string) => {
  const found = await live().find(asAda(), id)
  if (found === undefined) throw new Error(`${id} is gone`)
  return found
}
const rowsOf = async (table: string, id: string) => {
  const { rows } = await at.admin.query(`SELECT FROM ${table} WHERE live_app_id = $1`, [id])
  return rows.length
}
const timesOf = (logs: readonly { at: number[] }[]) =>
  logs.flatMap((each) => each.at).toSorted((a, b) => b - a)
/** The beginning of a minute. */
const aligned = (ago: number) => Math.floor(minutesAgo(ago) / 60_000) * 60_000
const noise = () => Array.from({ length: 2000 }, () => Math.random())
const calls = (snapshot: { items: readonly LiveItem[] } | undefined) =>
  snapshot?.items[0]?.counters?.['calls']

describe('apps', () => {
  test('the same name in a project is the same app, and a project has so many', async () => {
    const first = await app()
    const { id, ...rest } = first
    const again = await live().register(asAda(), { ...rest, id: newId('liveApp') }, 1)
    expect(again?.id).toBe(id)
    expect(
      await live().register(asAda(), { ...rest, id: newId('liveApp'), name: 'unlimited' }, Infinity),
    ).toMatchObject({
      name: 'unlimited',
    })
    expect(
      await live().register(asAda(), { ...rest, id: newId('liveApp'), name: 'one more' }, 1),
    ).toBeUndefined()
  })

  test('another workspace sees nothing of them, and a viewer changes nothing', async () => {
    const mine = await app()
    await live().push(asAda(), mine, push({ sequence: 0, ...timing(1), logs: [log('f', [Date.now()])] }))
    const as = asBob()
    expect(await live().find(as, mine.id)).toBeUndefined()
    expect(await live().list(as, projectId)).toEqual([])
    expect(await live().sessions(as, mine.id, {})).toEqual([])
    expect(await live().moments(as, mine.id, 'functions_timing', {})).toEqual([])
    expect(await live().history(as, mine.id, 'functions_timing', {}, 10)).toEqual([])
    expect(await live().logs(as, mine.id, 'functions_timing', { span: {}, entriesMax: 10 })).toEqual([])
    expect(await live().end(as, mine.id)).toBeUndefined()
    expect(await live().remove(as, mine.id)).toBe(false)
    const refused = [
      () => live().push(as, mine, push({ sequence: 1 })),
      () => live().push(asViewer(), mine, push({ sequence: 1 })),
      () => live().end(asViewer(), mine.id),
      () => live().remove(asViewer(), mine.id),
      () => live().trim(asViewer(), mine, 0),
    ]
    await inSequence(refused, (attempt) => expect(attempt()).rejects.toThrow(NotPermitted))
  })

  test('for a token of one app there are no others', async () => {
    const [mine, other] = [await app(), await app()]
    const as = asAda()
    as.principal = { ...as.principal, projectId, liveAppId: mine.id }
    expect((await live().list(as, projectId)).map(({ id }) => id)).toEqual([mine.id])
    expect(await live().push(as, mine, push({ sequence: 0, ...timing(1) }))).toBe('stored')
    await expect(live().push(as, other, push({ sequence: 0, ...timing(1) }))).rejects.toThrow(LiveAppGone)
    expect(await rowsOf('live_sessions', other.id)).toBe(0)
  })

  test('what is deleted takes everything with it, its tokens too', async () => {
    const mine = await app()
    const { id } = await at.stores.apiTokens.create(asAda(), {
      id: newId('apiToken'),
      workspaceId: ada.workspaceId,
      name: 'Token',
      prefix: 'fg_',
      scopes: ['push'],
      expiresAt: null,
      tokenHash: mine.id,
      liveApp: mine,
    })
    expect(await at.identity.findApiToken(mine.id)).toMatchObject({ id, projectId, liveAppId: mine.id })
    await live().push(asAda(), mine, push({ sequence: 0, ...timing(1), logs: [log('f', [Date.now()])] }))
    expect(await live().remove(asAda(), mine.id)).toBe(true)
    expect(await at.identity.findApiToken(mine.id)).toBeUndefined()
    expect(await rowsOf('live_snapshots', mine.id)).toBe(0)
    await expect(live().push(asAda(), mine, push({ sequence: 1, ...timing(1) }))).rejects.toThrow(LiveAppGone)
  })

  test('one that ended is opened by the next push', async () => {
    const mine = await app()
    expect((await live().end(asAda(), mine.id))?.endedAt).not.toBeNull()
    await live().push(asAda(), mine, push({ sequence: 0 }))
    expect(await find(mine.id)).toMatchObject({ endedAt: null, lastPushAt: expect.any(Date) })
  })
})

describe('pushes', () => {
  test('one that comes twice, or after a later one, counts once', async () => {
    const mine = await app()
    const send = (sequence: number) =>
      live().push(asAda(), mine, push({ sequence, logs: [log('f', [Date.now()])] }))
    expect(await inSequence([0, 0, 2, 1, 2, 3], send)).toEqual([
      'stored',
      'duplicate',
      'stored',
      'duplicate',
      'duplicate',
      'stored',
    ])
    expect(await rowsOf('live_logs', mine.id)).toBe(3)
  })

  test('of one that comes ten times at once, one is stored', async () => {
    const mine = await app()
    const same = push({ sequence: 7, ...timing(1), logs: [log('f', [Date.now()])] })
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => live().push(asAda(), mine, same)))
    expect(outcomes.toSorted()).toEqual([...Array.from({ length: 9 }, () => 'duplicate'), 'stored'])
    expect(await rowsOf('live_logs', mine.id)).toBe(1)
    const { sizeBytes } = await find(mine.id)
    await live().trim(asAda(), mine, Infinity)
    expect((await find(mine.id)).sizeBytes).toBe(sizeBytes)
  })

  test('what is made of the last snapshots sees those of the push before, also of many at once', async () => {
    const mine = await app()
    const add = () =>
      live().push(asAda(), mine, {
        session,
        make: (before, lastSequence) =>
          push({
            sequence: lastSequence + 1,
            at: minutesAgo(1) + lastSequence,
            ...timing((calls(before.get('functions_timing')) ?? 0) + 1),
          }),
      })
    const outcomes = await Promise.all(Array.from({ length: 8 }, add))
    expect(outcomes).toEqual(outcomes.map(() => 'stored'))
    const [moment] = await live().moments(asAda(), mine.id, 'functions_timing', {})
    expect(calls(moment?.last)).toBe(8)
  })

  test('a session is what its pushes said of it', async () => {
    const mine = await app()
    const program = { name: 'shop', source: 'profiler' as const, pid: 12 }
    await live().push(asAda(), mine, push({ sequence: 0, at: minutesAgo(2), program, ...timing(1) }))
    const sections = { threads: { status: 'off' as const, reason: 'no feature' } }
    await live().push(asAda(), mine, push({ sequence: 1, at: minutesAgo(1), sections }))
    const [known] = await live().sessions(asAda(), mine.id, {})
    expect(known).toMatchObject({
      session,
      program,
      sections: { functions_timing: { status: 'on' }, threads: { status: 'off', reason: 'no feature' } },
    })
    expect(await live().sessions(asAda(), mine.id, { from: new Date(minutesAgo(0.5)) })).toEqual([])
    expect(await live().sessions(asAda(), mine.id, { to: new Date(minutesAgo(1.5)) })).toHaveLength(1)
  })
})

describe('moments', () => {
  test('are the last snapshots at both ends of a time, of each session', async () => {
    const mine = await app()
    const told = [
      { session: 'session-1', sequence: 0, at: minutesAgo(10), ...timing(1) },
      { session: 'session-1', sequence: 1, at: minutesAgo(8), ...timing(2) },
      { session: 'session-1', sequence: 2, at: minutesAgo(5), ...timing(4) },
      { session: 'session-2', sequence: 0, at: minutesAgo(6), ...timing(100) },
    ]
    await inSequence(told, (each) => live().push(asAda(), mine, push(each)))
    const ask = async (from?: number, to?: number) => {
      const found = await live().moments(asAda(), mine.id, 'functions_timing', {
        ...(from === undefined ? {} : { from: new Date(minutesAgo(from)) }),
        ...(to === undefined ? {} : { to: new Date(minutesAgo(to)) }),
      })
      return found.map(({ before, last }) => [last.session, calls(before), calls(last)])
    }
    expect(await ask()).toEqual([
      ['session-1', undefined, 4],
      ['session-2', undefined, 100],
    ])
    expect(await ask(7)).toEqual([
      ['session-1', 2, 4],
      ['session-2', undefined, 100],
    ])
    expect(await ask(9, 7)).toEqual([['session-1', 1, 2]])
    expect(await ask(11, 5.5)).toEqual([
      ['session-1', undefined, 2],
      ['session-2', undefined, 100],
    ])
  })

  test('history is thinned, and keeps both ends', async () => {
    const mine = await app()
    const start = minutesAgo(9)
    await inSequence(Array.from({ length: 9 }).keys(), (sequence) =>
      live().push(asAda(), mine, push({ sequence, at: start + sequence * 60_000, ...timing(sequence) })),
    )
    const told = await live().history(asAda(), mine.id, 'functions_timing', {}, 5)
    expect(told.map(calls)).toEqual([0, 2, 4, 6, 8])
    expect(await live().history(asAda(), mine.id, 'functions_timing', {}, 100)).toHaveLength(9)
    // However many there are of a part of the time, each part has one.
    await inSequence(Array.from({ length: 20 }).keys(), (each) =>
      live().push(
        asAda(),
        mine,
        push({ sequence: 9 + each, at: start + 8 * 60_000 + (each + 1) * 500, ...timing(9 + each) }),
      ),
    )
    const uneven = await live().history(asAda(), mine.id, 'functions_timing', {}, 5)
    expect(uneven.map(calls)).toEqual([0, 2, 4, 6, 28])
    expect(await live().history(asAda(), mine.id, 'threads', {}, 5)).toEqual([])
  })
})

describe('logs', () => {
  test('the newest entries of one item are found among those of many, in many pushes', async () => {
    const mine = await app()
    const start = minutesAgo(10)
    // Of each of 120 items an entry in each push; one of them is only in the first.
    await inSequence(Array.from({ length: 12 }).keys(), (sequence) => {
      const time = start + sequence * 1000
      const items = Array.from({ length: 120 }, (_, index) => `item ${index}`)
      const rare = sequence === 0 ? [log('rare', [time, time + 0.5])] : []
      return live().push(
        asAda(),
        mine,
        push({ sequence, logs: [...rare, ...items.map((name, place) => log(name, [time + place / 10]))] }),
      )
    })
    const ask = (wanted: {
      item?: string
      session?: string
      entriesMax: number
      from?: number
      to?: number
    }) =>
      live().logs(asAda(), mine.id, 'functions_timing', {
        ...wanted,
        span: {
          ...(wanted.from === undefined ? {} : { from: new Date(wanted.from) }),
          ...(wanted.to === undefined ? {} : { to: new Date(wanted.to) }),
        },
      })
    expect(timesOf(await ask({ item: 'item 7', entriesMax: 3 }))).toEqual(
      [11_000, 10_000, 9000].map((ms) => start + ms + 0.7),
    )
    expect(timesOf(await ask({ item: 'rare', entriesMax: 5 }))).toEqual([start + 0.5, start])
    expect(timesOf(await ask({ entriesMax: 150 }))).toEqual(
      [
        ...Array.from({ length: 120 }, (_, place) => start + 11_000 + place / 10),
        ...Array.from({ length: 30 }, (_, place) => start + 10_000 + (90 + place) / 10),
      ].toSorted((a, b) => b - a),
    )
    expect(
      timesOf(await ask({ item: 'item 0', entriesMax: 9, from: start + 2000, to: start + 4000 })),
    ).toEqual([4000, 3000, 2000].map((ms) => start + ms))
    expect(await ask({ item: 'item 0', session: 'session-9', entriesMax: 3 })).toEqual([])
    expect(await rowsOf('live_logs', mine.id)).toBe(12 * 3)
  })

  test('columns stay together when entries are left out, and what was lost is told', async () => {
    const mine = await app()
    const start = minutesAgo(5)
    const told = { ...log('f', [start, start + 1, start + 2]), text: ['a', null, 'c'], lost: 3 }
    await live().push(asAda(), mine, push({ sequence: 0, logs: [told, { ...log('g', []), lost: 2 }] }))
    const found = await live().logs(asAda(), mine.id, 'functions_timing', {
      item: 'f',
      span: {},
      entriesMax: 2,
    })
    expect(found).toEqual([
      { ...told, session, at: [start + 1, start + 2], value: [1, 2], text: [null, 'c'] },
    ])
    const lost = await live().logs(asAda(), mine.id, 'functions_timing', {
      item: 'g',
      span: {},
      entriesMax: 2,
    })
    expect(lost).toMatchObject([{ item: 'g', lost: 2 }])
  })
})

test('bytes are those of all apps of a workspace, for those who may see them', async () => {
  const before = await live().countBytes(asAda(), ada.workspaceId)
  const mine = await app()
  await live().push(asAda(), mine, push({ sequence: 0, ...timing(1) }))
  const { sizeBytes } = await find(mine.id)
  expect(sizeBytes).toBeGreaterThan(0)
  expect(await live().countBytes(asAda(), ada.workspaceId)).toEqual({
    ...before,
    apps: before.apps + sizeBytes,
  })
  expect(await live().countBytes(asBob(), ada.workspaceId)).toEqual({ apps: 0, recordings: 0 })
})

const made = (identity?: string) => ({
  session,
  identity,
  make: (_before: unknown, lastSequence: number) => push({ sequence: lastSequence + 1 }),
})

describe('pushes without a number', () => {
  test('count once when they come again, among the last ones', async () => {
    const mine = await app()
    const give = (identity?: string) => live().push(asAda(), mine, made(identity))
    expect([await give('a'), await give('b'), await give('a'), await give('b')]).toEqual([
      'stored',
      'stored',
      'duplicate',
      'duplicate',
    ])
    expect([await give(), await give()]).toEqual(['stored', 'stored'])
    await inSequence(
      Array.from({ length: 128 }, (_, index) => index),
      (index) => give(`later ${index}`),
    )
    expect([await give('a'), await give('later 127')]).toEqual(['stored', 'duplicate'])
  })

  test('are not remembered when they could not be made', async () => {
    const mine = await app()
    const broken = {
      ...made('a'),
      make: () => {
        throw new TypeError('broken')
      },
    }
    await expect(live().push(asAda(), mine, broken)).rejects.toThrow('broken')
    expect(await live().push(asAda(), mine, made('a'))).toBe('stored')
  })
})

const large = () => ({
  sections: {
    gauges: {
      status: 'on' as const,
      items: Array.from({ length: 150 }, (_, index) => ({
        id: `${index}`,
        name: `${index}`,
        texts: { unit: randomBytes(1500).toString('base64').slice(0, 2000) },
      })),
    },
  },
})

test('of a history of large snapshots fewer are unpacked', async () => {
  const mine = await app()
  const begin = minutesAgo(4)
  await inSequence(
    Array.from({ length: 40 }, (_, index) => index),
    (sequence) =>
      live().push(asAda(), mine, push({ sequence, at: begin + sequence * 1000, ...timing(1), ...large() })),
  )
  const told = await live().history(asAda(), mine.id, 'gauges', {}, 120)
  expect(told).toHaveLength(24)
  expect([told[0]?.at.getTime(), told.at(-1)?.at.getTime()]).toEqual([begin, begin + 39_000])
})

describe('the sweep', () => {
  const bounds = { bytesMax: 1e9, keptForMs: 86_400_000 }

  test('keeps the last snapshot of every ten seconds, and of every minute after an hour', async () => {
    const mine = await app()
    const told = [
      ...[0, 3, 9, 10, 14, 25].map((second) => aligned(20) + second * 1000),
      ...[0, 12, 59, 60].map((second) => aligned(90) + second * 1000),
      ...[0, 1].map((second) => minutesAgo(1) + second * 1000),
    ].toSorted((a, b) => a - b)
    await inSequence(told.entries(), ([sequence, time]) =>
      live().push(asAda(), mine, push({ sequence, at: time, ...timing(sequence) })),
    )
    const before = (await find(mine.id)).sizeBytes
    const kept = async () =>
      (await live().history(asAda(), mine.id, 'functions_timing', {}, 100)).map((each) => each.at.getTime())
    await live().sweep(asAda(), mine, bounds)
    const expected = [
      ...[59, 60].map((second) => aligned(90) + second * 1000),
      ...[9, 14, 25].map((second) => aligned(20) + second * 1000),
      ...told.slice(-2),
    ]
    expect(await kept()).toEqual(expected)
    await live().sweep(asAda(), mine, bounds)
    expect(await kept()).toEqual(expected)
    const after = (await find(mine.id)).sizeBytes
    expect(after).toBeGreaterThan(0)
    expect(after).toBeLessThan(before)
  })

  test('drops what is too old, sessions too', async () => {
    const mine = await app()
    const old = { at: minutesAgo(120), ...timing(1), logs: [log('f', [minutesAgo(120)])] }
    await live().push(asAda(), mine, push({ session: 'session-old', sequence: 0, ...old }))
    await live().push(asAda(), mine, push({ sequence: 0, ...timing(1), logs: [log('f', [Date.now()])] }))
    const keptForMs = 3_600_000
    expect(await live().countOld(asAda(), mine, { keptForMs })).toBe(3)
    expect(await rowsOf('live_logs', mine.id)).toBe(2)
    expect(await live().sweep(asAda(), mine, { ...bounds, keptForMs })).toBe(3)
    expect(await live().countOld(asAda(), mine, { keptForMs })).toBe(0)
    expect((await live().sessions(asAda(), mine.id, {})).map((each) => each.session)).toEqual([session])
    expect([await rowsOf('live_snapshots', mine.id), await rowsOf('live_logs', mine.id)]).toEqual([1, 1])
  })

  test('ends what is silent, and nothing else', async () => {
    const [silent, talking] = [await app(), await app()]
    await live().push(asAda(), silent, push({ sequence: 0 }))
    await live().push(asAda(), talking, push({ sequence: 0 }))
    await at.admin.query("UPDATE live_apps SET last_push_at = now() - interval '6 minutes' WHERE id = $1", [
      silent.id,
    ])
    const looked = await findLiveAppsToSweep(at.database, { all: false })
    expect(looked.map(({ id }) => id)).toEqual(expect.arrayContaining([silent.id, talking.id]))
    await inSequence([silent, talking], (each) => live().sweep(asAda(), each, bounds))
    expect((await find(silent.id)).endedAt).not.toBeNull()
    expect((await find(talking.id)).endedAt).toBeNull()
  })

  test('what is too much goes where most is, the oldest first', async () => {
    const mine = await app()
    await live().push(asAda(), mine, push({ sequence: 0, ...timing(1) }))
    const gauge = { section: 'gauges' as const, item: 'g', at: [minutesAgo(30)], value: [1] }
    await live().push(asAda(), mine, push({ sequence: 1, logs: [gauge] }))
    await inSequence([2, 3, 4, 5, 6, 7], (sequence) => {
      const times = noise().map((_, place) => minutesAgo(10 - sequence) + place)
      return live().push(asAda(), mine, push({ sequence, logs: [{ ...log('f', times), value: noise() }] }))
    })
    const { sizeBytes } = await find(mine.id)
    await live().trim(asAda(), mine, sizeBytes)
    expect((await find(mine.id)).sizeBytes).toBe(sizeBytes)
    await live().trim(asAda(), mine, sizeBytes / 2)
    const left = (await find(mine.id)).sizeBytes
    expect(left).toBeGreaterThan(0)
    expect(left).toBeLessThan(sizeBytes / 2)
    const found = await live().logs(asAda(), mine.id, 'gauges', { span: {}, entriesMax: 5 })
    expect(found).toMatchObject([{ item: 'g', value: [1] }])
    expect(await live().moments(asAda(), mine.id, 'functions_timing', {})).toHaveLength(1)
    const sequences = await at.admin.query<{ sequence: string }>(
      "SELECT sequence FROM live_logs WHERE live_app_id = $1 AND section = 'functions_timing' ORDER BY sequence",
      [mine.id],
    )
    expect(sequences.rows.map(({ sequence }) => Number(sequence))).toEqual([6, 7])
  })

  test.each([
    [[1, 2, 3], 10, Infinity],
    [[1, 10, 10], 11, 5],
    [[10, 10], 10, 5],
    [[1, 2, 30], 10, 7],
    [[], 10, Infinity],
  ])('of %j at most %d together is %d each', (amounts, most, level) => {
    expect(levelOf(amounts, most)).toBe(level)
  })
})
