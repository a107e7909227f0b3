import { newId, type Caller } from '@flamegate/contract'
import { DatabaseInterrupted, NotPermitted } from '@flamegate/operations/ports'
import {
  actionCounters,
  counterOf,
  decodeTickBatch,
  encodeTickBatch,
  generatorGauges,
  percentileOf,
  profileCounters,
  slotOf,
  type SeriesQuestion,
  type Tick,
} from '@flamegate/series'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { SeriesThreads } from '../series-threads/series-threads.ts'
import { inSequence, prepareProject, testCaller } from '../testing.ts'
import { seriesStore } from './series-store.ts'

const { at, ada, projectId, asAda, asBob, asViewer } = prepareProject({ roleOfAda: 'member' })
let runId: string

beforeEach(async () => {
  runId = newId('task')
  await at.admin.query(
    `INSERT INTO bench_results (workspace_id, id, project_id, name, task_id, created_by)
      VALUES ($1, $2, $3, 'Checkout', $2, $4)`,
    [ada.workspaceId, runId, projectId, ada.userId],
  )
  await series().begin(asAda(), runId, { secondsMax: 7_200, containers: [2] })
})

const series = () => at.stores.series
const asReader = () => testCaller(ada.userId, { [ada.workspaceId]: 'member' }, 'read')

/** Three actions, of which the last holds the others; each with as many requests as the agent has a number, and one. */
function tickOf(agent: number, second: number): Tick {
  const count = agent + 1
  const actions = [0, 1, 2].map((action) => {
    const times = {
      slots: Uint16Array.of(slotOf(1_000 * (action + 1) + second)),
      counts: Uint32Array.of(count),
    }
    const counters = Float64Array.from(actionCounters, (name) => (name === 'count' ? count : 0))
    return { profile: 0, action, counters, serviceTime: times, responseTime: times }
  })
  const profiles = [Float64Array.from(profileCounters, () => 10)]
  return { second, actions, profiles, generator: Float64Array.from(generatorGauges, () => 100) }
}

const batchOf = (agent: number, sequence: number, seconds: readonly number[], benchResultId = runId) =>
  decodeTickBatch(
    encodeTickBatch({
      benchResultId,
      agent,
      sequence,
      ticks: seconds.map((second) => tickOf(agent, second)),
    }),
  )

const append = (agent: number, sequence: number, seconds: readonly number[], caller: Caller = asAda()) =>
  series().appendBatch(caller, batchOf(agent, sequence, seconds))

async function countOfRequests(
  question: Partial<SeriesQuestion<'requests'>> = {},
  caller: Caller = asReader(),
): Promise<number | undefined> {
  const answer = await series().query(caller, runId, {
    kind: 'requests',
    from: 0,
    to: 7_200,
    pointsMax: 1,
    ...question,
  })
  const [bucket] = answer?.groups[0]?.buckets ?? []
  return bucket && counterOf(bucket, 'count')
}

const secondsOf = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index)

const liveCount = async () => {
  const { rows } = await at.admin.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM live_ticks WHERE bench_result_id = $1',
    [runId],
  )
  return rows[0]?.count
}

describe('batches', () => {
  test('count once, however often and in whatever order they come', async () => {
    expect(await append(0, 2, [3, 4])).toBe('stored')
    expect(await append(0, 1, [1, 2])).toBe('stored')
    expect(await append(1, 1, [2])).toBe('stored')
    expect(await append(0, 2, [3, 4])).toBe('repeated')
    const again = await Promise.all(Array.from({ length: 6 }, () => append(1, 2, [3])))
    expect(again.toSorted()).toEqual(['repeated', 'repeated', 'repeated', 'repeated', 'repeated', 'stored'])
    // Four seconds of agent 0 with one request of each of two actions, two of agent 1 with two of each.
    expect(await countOfRequests()).toBe(4 * 2 + 2 * 4)
    await series().seal(asAda(), runId, 'end')
    expect(await append(0, 2, [3, 4])).toBe('repeated')
    expect(await countOfRequests()).toBe(4 * 2 + 2 * 4)
  })

  test('of nothing are remembered', async () => {
    expect(await append(0, 1, [])).toBe('stored')
    expect(await append(0, 1, [])).toBe('repeated')
  })

  test('of a second that the run cannot have are refused as a whole', async () => {
    expect(await append(0, 1, [1, 7_200])).toBe('beyond_end')
    expect(await liveCount()).toBe(0)
    // Refused is not stored: a batch that is right may come under the number.
    expect(await append(0, 1, [1, 7_199])).toBe('stored')
  })

  test('come from nobody who may not write, and to no run that is not there', async () => {
    await expect(append(0, 1, [1], asViewer())).rejects.toThrow(NotPermitted)
    await expect(append(0, 1, [1], asReader())).rejects.toThrow(NotPermitted)
    expect(await append(0, 1, [1], asBob())).toBe('no_series')
    expect(await liveCount()).toBe(0)
    expect(await series().appendBatch(asAda(), batchOf(0, 1, [1], 'no_such_run'))).toBe('no_series')
  })
})

describe('sealing', () => {
  test('takes whole windows that have ended, and all at the end; answers stay the same', async () => {
    const seconds = secondsOf(0, 150)
    await inSequence([0, 1, 2], (agent) => append(agent, 1, seconds))
    const questions: Partial<SeriesQuestion<'requests'>>[] = [
      {},
      { from: 7, to: 133 },
      { actions: [2] },
      { apart: 'agent' },
      { pointsMax: 200, to: 150 },
      { pointsMax: 15, to: 150, agent: 1, actions: [0, 1] },
    ]
    const ask = () =>
      inSequence(questions, (question) =>
        series().query(asReader(), runId, {
          kind: 'requests',
          from: 0,
          to: 7_200,
          pointsMax: 1,
          ...question,
        }),
      )
    const live = await ask()
    expect(await series().seal(asAda(), runId, 59)).toEqual({ ticks: 0, windows: 0 })
    expect(await series().seal(asAda(), runId, 120)).toEqual({ ticks: 360, windows: 2 })
    expect(await liveCount()).toBe(90)
    expect(await ask()).toEqual(live)
    expect(await series().seal(asAda(), runId, 'end')).toEqual({ ticks: 90, windows: 1 })
    expect(await series().seal(asAda(), runId, 'end')).toEqual({ ticks: 0, windows: 0 })
    expect(await ask()).toEqual(live)
    expect(await countOfRequests()).toBe(150 * 2 * (1 + 2 + 3))
    expect(await countOfRequests({ agent: 1 })).toBe(150 * 2 * 2)
    const answer = live[2]
    expect(
      percentileOf(
        answer?.groups[0]?.buckets[0]?.responseTime ?? {
          slots: new Uint16Array(0),
          counts: new Uint32Array(0),
        },
        100,
      ),
    ).toBe(3_149)
  })

  test('rolls up what was sealed, and adds what comes late to all levels', async () => {
    await append(0, 1, secondsOf(0, 600))
    await append(0, 2, secondsOf(600, 1_200))
    await series().seal(asAda(), runId, 1_200)
    const { rows } = await at.admin.query<{ level: number; count: number }>(
      `SELECT level, count(*) FILTER (WHERE action = 0)::int AS action, count(*) FILTER (WHERE action = -2)::int AS each
        FROM series_chunks WHERE bench_result_id = $1 AND kind = 'requests' GROUP BY level ORDER BY level`,
      [runId],
    )
    expect(rows).toEqual([
      { level: 1, action: 20, each: 0 },
      { level: 10, action: 20, each: 0 },
      // Agents together and apart.
      { level: 60, action: 4, each: 20 },
      { level: 600, action: 2, each: 2 },
      // Of each action only, and of the hour so far.
      { level: 3_600, action: 0, each: 1 },
    ])
    expect(await append(1, 1, [30, 601])).toBe('stored')
    const before = await countOfRequests()
    expect(before).toBe(1_200 * 2 + 2 * 4)
    expect(await series().seal(asAda(), runId, 1_200)).toEqual({ ticks: 2, windows: 2 })
    expect(await countOfRequests()).toBe(before)
    for (const [from, to] of [
      [30, 31],
      [30, 40],
      [0, 60],
      [600, 1_200],
    ] as const)
      expect([from, to, await countOfRequests({ from, to })]).toEqual([from, to, (to - from) * 2 + 4])
    // Seconds that an integer of Postgres does not hold, or not when they are rounded.
    expect(await countOfRequests({ to: 2 ** 31 })).toBe(before)
    expect((await countOfRequests({ from: 2 ** 31 - 1, to: 2 ** 31 })) ?? 0).toBe(0)
    const users = await series().query(asReader(), runId, { kind: 'users', from: 0, to: 60, pointsMax: 1 })
    expect(users?.groups[0]?.buckets).toMatchObject([{ users: 10, usersMax: 20 }])
  })

  test('answers are the same with hours and without them, and of runs that had none', async () => {
    const questions: Partial<SeriesQuestion<'requests'>>[] = [
      { apart: 'action' },
      { apart: 'action', from: 130, to: 4_900 },
      { apart: 'action', from: 600, to: 3_000 },
      { apart: 'action', pointsMax: 2 },
      { actions: Array.from({ length: 40 }, (_, action) => 2 * action), from: 7 },
    ]
    const ask = () =>
      inSequence(questions, (question) =>
        seriesStore(at.database).query(asReader(), runId, {
          kind: 'requests',
          from: 0,
          to: 7_200,
          pointsMax: 1,
          ...question,
        }),
      )
    const hours = async () => {
      const { rows } = await at.admin.query<{ start_second: number }>(
        'SELECT start_second FROM series_chunks WHERE bench_result_id = $1 AND level = 3600 ORDER BY 1',
        [runId],
      )
      return rows.map((row) => row.start_second)
    }
    const hoursTo = async () => {
      const { rows } = await at.admin.query<{ hours_to: number }>(
        'SELECT hours_to FROM bench_series WHERE bench_result_id = $1',
        [runId],
      )
      return rows[0]?.hours_to
    }
    const forgetHours = async () => {
      await at.admin.query('DELETE FROM series_chunks WHERE bench_result_id = $1 AND level = 3600', [runId])
      await at.admin.query('UPDATE bench_series SET hours_to = 0 WHERE bench_result_id = $1', [runId])
    }
    const everyTen = Array.from({ length: 510 }, (_, index) => 10 * index)
    await append(0, 1, everyTen)
    const live = await ask()
    // It is killed when it has made ten minutes of the second hour, and not yet the hour.
    await at.admin.query(
      `CREATE FUNCTION kill_it() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$`,
    )
    await at.admin.query(
      `CREATE TRIGGER killer AFTER INSERT ON series_chunks FOR EACH ROW
        WHEN (new.level = 3600 AND new.start_second = 3600) EXECUTE FUNCTION kill_it()`,
    )
    await expect(series().seal(asAda(), runId, 4_800)).rejects.toBeInstanceOf(DatabaseInterrupted)
    await at.admin.query('DROP FUNCTION kill_it CASCADE')
    expect([await hours(), await hoursTo()]).toEqual([[0], 3_600])
    expect(await ask()).toEqual(live)
    await series().seal(asAda(), runId, 4_800)
    expect([await hours(), await hoursTo()]).toEqual([[0, 3_600], 4_800])
    expect(await ask()).toEqual(live)
    // What comes late is in its hour, too.
    await append(1, 1, [20, 3_599, 3_600, 5_090])
    const late = await ask()
    expect(late).not.toEqual(live)
    await series().seal(asAda(), runId, 4_800)
    expect(await ask()).toEqual(late)
    // As a run of before that goes on: all its hours are made with the next ten minutes.
    await forgetHours()
    expect(await ask()).toEqual(late)
    await append(1, 2, [30])
    const later = await ask()
    await series().seal(asAda(), runId, 4_800)
    expect([await hours(), await hoursTo()]).toEqual([[], 0])
    expect(await ask()).toEqual(later)
    await series().seal(asAda(), runId, 'end')
    expect([await hours(), await hoursTo()]).toEqual([[0, 3_600], 5_400])
    expect(await ask()).toEqual(later)
    // As one that had ended.
    await forgetHours()
    expect(await ask()).toEqual(later)
  })

  test('rolls up only where something was measured, however long nothing was', async () => {
    const week = 7 * 24 * 3600
    await at.admin.query('UPDATE bench_series SET seconds_max = $1 WHERE bench_result_id = $2', [
      week + 1,
      runId,
    ])
    // How often a run was said to be rolled up to some second.
    await at.admin.query(`
      CREATE TABLE rolled (rolled_to integer);
      CREATE FUNCTION tell_rolled() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
        BEGIN INSERT INTO rolled VALUES (new.rolled_to); RETURN new; END $$;
      CREATE TRIGGER tell_rolled AFTER UPDATE OF rolled_to ON bench_series
        FOR EACH ROW EXECUTE FUNCTION tell_rolled();`)
    const rolled = async () => {
      const { rows } = await at.admin.query<{ rolled_to: number }>('SELECT rolled_to FROM rolled ORDER BY 1')
      return rows.map(({ rolled_to: second }) => second)
    }
    try {
      await append(0, 1, [5, 3_000, week])
      await series().seal(asAda(), runId, 3_599)
      expect(await rolled()).toEqual([600])
      await series().seal(asAda(), runId, 'end')
      expect(await rolled()).toEqual([600, 3_600, week + 600])
      expect(await countOfRequests({ to: week + 1 })).toBe(3 * 2)
      expect(await countOfRequests({ from: 600, to: week })).toBe(2)
    } finally {
      await at.admin.query('DROP FUNCTION tell_rolled CASCADE; DROP TABLE rolled')
    }
  })

  test('and what comes leave what is asked again and again as it is told', async () => {
    const questions: Partial<SeriesQuestion<'requests'>>[] = [
      {},
      { apart: 'profile' },
      { apart: 'agent' },
      { apart: 'action' },
      { apart: 'action', pointsMax: 720 },
      { agent: 1 },
      { from: 3 },
    ]
    const ask = (store: typeof at.stores.series) =>
      inSequence(questions, (question) =>
        store.query(asReader(), runId, {
          kind: 'requests',
          from: 0,
          to: 7_200,
          pointsMax: 1,
          ...question,
        }),
      )
    const steps: [string, () => Promise<unknown>][] = [
      ['nothing', async () => undefined],
      ['some', () => append(0, 1, secondsOf(0, 70))],
      ['nothing more', async () => undefined],
      ['another agent', () => append(1, 1, secondsOf(5, 65))],
      ['sealed', () => series().seal(asAda(), runId, 60)],
      ['of a sealed minute', () => append(1, 2, [2])],
      ['more', () => append(0, 2, secondsOf(70, 80))],
      ['all sealed', () => series().seal(asAda(), runId, 'end')],
    ]
    await inSequence(steps, async ([what, step]) => {
      await step()
      // Who was never asked before has nothing to remember.
      const fresh = seriesStore(at.database)
      expect([what, await ask(series())]).toEqual([what, await ask(fresh)])
    })
    expect(await countOfRequests()).toBe(80 * 2 + 61 * 4)
  })

  test('and answers are the same where other threads lend a hand', async () => {
    const threads = new SeriesThreads({ threadsMax: 2, leastBytes: 0 })
    const shared = seriesStore(at.database, threads)
    const alone = seriesStore(at.database, new SeriesThreads({ threadsMax: 0 }))
    const questions: Partial<SeriesQuestion<'requests'>>[] = [
      {},
      { actions: [0, 1], pointsMax: 20, to: 700 },
      { apart: 'agent', pointsMax: 12, to: 700 },
      { apart: 'action' },
      { apart: 'action', from: 7, to: 613 },
      { times: { service: false, response: true } },
    ]
    const ask = (store: typeof at.stores.series) =>
      inSequence(questions, (question) =>
        store.query(asReader(), runId, { kind: 'requests', from: 0, to: 7_200, pointsMax: 1, ...question }),
      )
    await inSequence([0, 1, 2], async (agent) => {
      await append(agent, 1, secondsOf(0, 350))
      await append(agent, 2, secondsOf(350, 700))
    })
    const live = await ask(alone)
    // Whoever asks starts them, and does not wait for them.
    expect(await ask(shared)).toEqual(live)
    await vi.waitFor(() => expect(threads.idle).toBe(2), { timeout: 60_000 })
    expect(await ask(seriesStore(at.database, threads))).toEqual(live)
    expect(await shared.seal(asAda(), runId, 660)).toEqual({ ticks: 1_980, windows: 11 })
    expect([await ask(shared), await ask(alone)]).toEqual([live, live])
    // What is sealed already is added to.
    await append(3, 1, secondsOf(590, 610))
    const more = await ask(alone)
    expect(more).not.toEqual(live)
    expect(await shared.seal(asAda(), runId, 'end')).toEqual({ ticks: 140, windows: 3 })
    expect([await ask(shared), await ask(alone)]).toEqual([more, more])
  })

  test('loses and doubles nothing while batches come, and others seal and ask', async () => {
    const load = { isOver: false }
    const agents = [0, 1, 2].map(async (agent) => {
      for (let second = 0; second < 240; second += 4) {
        const seconds = [second, second + 1, second + 2, second + 3]
        await append(agent, second, seconds)
        // As if the answer had been lost.
        if (second % 12 === 0) await append(agent, second, seconds)
      }
    })
    const sealers = [0, 1].map(async () => {
      while (!load.isOver) await series().seal(asAda(), runId, 'end')
    })
    const seen: number[] = []
    const reader = (async () => {
      while (!load.isOver) seen.push((await countOfRequests()) ?? 0)
    })()
    await Promise.all(agents)
    load.isOver = true
    await Promise.all([...sealers, reader])
    await series().seal(asAda(), runId, 'end')
    expect(await countOfRequests()).toBe(240 * 2 * (1 + 2 + 3))
    expect(seen).toEqual(seen.toSorted((a, b) => a - b))
    expect(await liveCount()).toBe(0)
  })

  test('that is killed at any statement leaves all as it was', async () => {
    await append(0, 1, [1, 2, 61])
    await append(1, 1, [1])
    const expected = 3 * 2 + 4
    // What it does at each of these, it does not live to do.
    await inSequence(
      ['DELETE ON live_ticks', 'INSERT ON series_chunks', 'UPDATE ON bench_series'],
      async (moment) => {
        await at.admin.query(
          `CREATE FUNCTION kill_it() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
            $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$`,
        )
        await at.admin.query(
          `CREATE TRIGGER killer AFTER ${moment} FOR EACH STATEMENT EXECUTE FUNCTION kill_it()`,
        )
        await expect(series().seal(asAda(), runId, 'end')).rejects.toBeInstanceOf(DatabaseInterrupted)
        await at.admin.query('DROP FUNCTION kill_it CASCADE')
        expect([moment, await countOfRequests()]).toEqual([moment, expected])
      },
    )
    await series().seal(asAda(), runId, 'end')
    expect(await countOfRequests()).toBe(expected)
    expect(await liveCount()).toBe(0)
  })

  test('a batch that is killed before it is stored is stored by the next attempt', async () => {
    await at.admin.query(
      `CREATE FUNCTION kill_it() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS
        $$BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END$$`,
    )
    await at.admin.query(
      'CREATE TRIGGER killer AFTER INSERT ON live_ticks FOR EACH STATEMENT EXECUTE FUNCTION kill_it()',
    )
    await expect(append(0, 1, [1, 2])).rejects.toBeInstanceOf(DatabaseInterrupted)
    await at.admin.query('DROP FUNCTION kill_it CASCADE')
    expect(await countOfRequests()).toBeUndefined()
    expect(await append(0, 1, [1, 2])).toBe('stored')
    expect(await countOfRequests()).toBe(4)
  })
})

test('bytes of a workspace are those of its chunks, and of what is not sealed yet', async () => {
  const before = await series().countBytes(asReader(), ada.workspaceId)
  await append(0, 1, secondsOf(0, 70))
  const { rows: live } = await at.admin.query<{ bytes: number }>(
    'SELECT sum(length(tick))::int AS bytes FROM live_ticks WHERE bench_result_id = $1',
    [runId],
  )
  expect((await series().countBytes(asReader(), ada.workspaceId)) - before).toBe(live[0]?.bytes)
  await series().seal(asAda(), runId, 'end')
  // What comes late takes the place of what was there.
  await append(1, 1, [5])
  await series().seal(asAda(), runId, 'end')
  const { rows: sealed } = await at.admin.query<{ bytes: number }>(
    'SELECT sum(length(chunk))::int AS bytes FROM series_chunks WHERE bench_result_id = $1',
    [runId],
  )
  expect((await series().countBytes(asReader(), ada.workspaceId)) - before).toBe(sealed[0]?.bytes)
  expect(await series().countBytes(asBob(), ada.workspaceId)).toBe(0)
})

test('what came before there were totals is answered of the ticks themselves', async () => {
  await append(0, 1, [1, 2])
  await append(1, 1, [2])
  const counted = await countOfRequests()
  await at.admin.query('UPDATE live_ticks SET totals = NULL WHERE bench_result_id = $1 AND agent = 0', [
    runId,
  ])
  expect(await countOfRequests()).toBe(counted)
  await series().seal(asAda(), runId, 'end')
  expect(await countOfRequests()).toBe(counted)
})

describe('of another workspace', () => {
  test('nothing is told, sealed or removed', async () => {
    await append(0, 1, [1])
    expect(await countOfRequests({}, asBob())).toBeUndefined()
    expect(await series().seal(asBob(), runId, 'end')).toEqual({ ticks: 0, windows: 0 })
    await series().remove(asBob(), runId)
    await expect(series().seal(asViewer(), runId, 'end')).rejects.toThrow(NotPermitted)
    await expect(series().remove(asViewer(), runId)).rejects.toThrow(NotPermitted)
    expect(await countOfRequests()).toBe(2)
    expect(await liveCount()).toBe(1)
  })
})

test('series that were removed are gone, with all that is told of the run later', async () => {
  await append(0, 1, [1])
  await series().seal(asAda(), runId, 'end')
  await append(0, 2, [2])
  await series().remove(asAda(), runId)
  expect(await countOfRequests()).toBeUndefined()
  expect(await append(0, 2, [2])).toBe('no_series')
  const { rows } = await at.admin.query(
    `SELECT bench_result_id FROM series_chunks WHERE bench_result_id = $1
      UNION ALL SELECT bench_result_id FROM live_ticks WHERE bench_result_id = $1
      UNION ALL SELECT bench_result_id FROM tick_batches WHERE bench_result_id = $1`,
    [runId],
  )
  expect(rows).toEqual([])
})
