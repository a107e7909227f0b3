import type { Caller } from '@flamegate/contract'
import type { BatchOutcome, SeriesStore } from '@flamegate/operations/ports'
import {
  allOfThem,
  answerByParts,
  answerOfSums,
  eachOfThem,
  isByAction,
  isByProfile,
  levels,
  liveSummingOf,
  planQuestion,
  sumLive,
  sumUp,
  totalsOfTick,
} from '@flamegate/series'
import type {
  ChunkWindow,
  Level,
  QuestionPlan,
  RolledUp,
  ReceivedTickBatch,
  SeriesChunk,
  SeriesQuestion,
} from '@flamegate/series'
import type { ClientBase } from 'pg'
import { copyRows, integerOf } from '../copy-rows.ts'
import type { Database } from '../database.ts'
import { gather } from '../gather.ts'
import { joinedBytes } from '../joined-bytes.ts'
import { tellSeconds } from '../bench-news.ts'
import { beginStatement, mustWrite, rowScope } from '../row-scope.ts'
import { seriesThreads } from '../series-threads/series-threads.ts'
import { execute, queryRows, sql, type Sql } from '../sql.ts'
import { keptBytes } from './kept-bytes.ts'
import { RememberedSums, type StoredTick, type TickKey } from './remembered-sums.ts'
import { rollUpSealed, sealWindows } from './seal-series.ts'

/** As many batches are stored in one transaction, if they come while another one goes on: of a second some megabytes. */
const gatheredBatchesMax = 64

/** @param threads what lends a hand with what is large */
export function seriesStore(database: Database, threads = seriesThreads): SeriesStore {
  // A fleet sends all its batches in the same moment of a second. Whoever is gathered may do the same in the database.
  const append = gather<{ caller: Caller; batch: ReceivedTickBatch }, BatchOutcome>(
    (told) =>
      database.asCallerSql(told[0].caller, async (client) => {
        const batches = told.map(({ batch }) => batch)
        const { benchResultId } = told[0].batch
        const outcomes = await insertBatches(client, benchResultId, batches)
        const seconds = batches.flatMap(({ ticks }, index) =>
          outcomes[index] === 'stored' ? ticks.map(({ second }) => second) : [],
        )
        if (seconds.length > 0) await tellSeconds(client, benchResultId, Math.max(...seconds))
        return outcomes
      }),
    gatheredBatchesMax,
  )
  const sums = new RememberedSums()
  return {
    begin: (caller, benchResultId, { secondsMax, containers }) =>
      database.asCallerSql(caller, async (client) => {
        const [run] = await queryRows<{ workspaceId: string }>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM bench_results WHERE id = ${benchResultId}`,
        )
        if (run === undefined) throw new Error(`Bench run ${benchResultId} is gone`)
        mustWrite(caller, run.workspaceId)
        await insertSeries(
          client,
          { workspaceId: run.workspaceId, benchResultId },
          { secondsMax, containers },
        )
      }),

    appendBatch: (caller, batch) =>
      append(`${batch.benchResultId} ${beginStatement(rowScope(caller))}`, { caller, batch }),

    seal: async (caller, benchResultId, to) => {
      const sealing = { database, threads, caller, benchResultId, to }
      const sealed = await sealWindows(sealing)
      await rollUpSealed(sealing)
      return sealed
    },

    query: (caller, benchResultId, wanted) =>
      database.asCallerSql(caller, async (client) => {
        const question = {
          ...wanted,
          from: Math.min(wanted.from, beyondRuns),
          to: Math.min(wanted.to, beyondRuns + 1),
        }
        // What is sealed while it is read is in it once.
        await client.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ')
        const [series] = await queryRows<Series>(
          client,
          sql`SELECT workspace_id AS "workspaceId", bench_result_id AS "benchResultId", containers, rolled_to AS "rolledTo", hours_to AS "hoursTo",
              (SELECT coalesce(max(action), -1) + 1 FROM series_chunks WHERE workspace_id = bench_series.workspace_id
                AND bench_result_id = bench_series.bench_result_id AND level = 1 AND kind = 'requests' AND NOT is_apart)
                AS "actionsEnd",
              (SELECT coalesce(min(second), 0) FROM live_ticks WHERE workspace_id = bench_series.workspace_id
                AND bench_result_id = bench_series.bench_result_id) AS "liveFrom",
              (SELECT coalesce(max(second), -1) + 1 FROM live_ticks WHERE workspace_id = bench_series.workspace_id
                AND bench_result_id = bench_series.bench_result_id) AS "liveTo"
            FROM bench_series WHERE bench_result_id = ${benchResultId}`,
        )
        if (series === undefined) return undefined
        const run = { containers: new Set(series.containers) }
        const read = async (asked: SeriesQuestion) => {
          const plan = planQuestion(asked, series)
          const isAllLiveAsked = plan.from <= series.liveFrom && plan.to >= series.liveTo
          const summing = isAllLiveAsked ? liveSummingOf(asked, plan) : undefined
          if (summing === undefined) return { plan, run, ...(await readParts(client, series, asked, plan)) }
          const { chunks, liveSums } = await sums.add(
            `${series.workspaceId} ${series.benchResultId}`,
            summing,
            (known) => readParts(client, series, asked, plan, known),
            async (ticks) => {
              const { isMine, others } = threads.share('sumLive', ticks, { summing, run })
              return [sumLive(ticks, summing, run, isMine), ...(await others())]
            },
          )
          return { plan, run, chunks, live: [], liveSums }
        }
        return answerByParts(
          question,
          { run, actionsEnd: series.actionsEnd },
          read,
          async (asked, plan, data) => {
            // What is not of requests is no sum of parts.
            const given = asked.kind === 'requests' ? data.chunks : []
            const { isMine, others } = threads.share('sumUp', given, { question: asked, plan, run })
            const own = sumUp(asked, plan, data, isMine)
            return answerOfSums(asked, plan, [...own, ...(await others()).flat()])
          },
        )
      }),

    countBytes: (caller, workspaceId) =>
      database.asCallerSql(caller, (client) => keptBytes(client, workspaceId, 'results')),

    remove: (caller, benchResultId) =>
      database.asCallerSql(caller, async (client) => {
        const [run] = await queryRows<{ workspaceId: string }>(
          client,
          sql`SELECT workspace_id AS "workspaceId" FROM bench_series WHERE bench_result_id = ${benchResultId}`,
        )
        if (run === undefined) return
        mustWrite(caller, run.workspaceId)
        await execute(
          client,
          sql`DELETE FROM bench_series
            WHERE workspace_id = ${run.workspaceId} AND bench_result_id = ${benchResultId}`,
        )
      }),
  }
}

/** No run is so many seconds long: three years. With what is added when seconds are rounded, it is an integer of Postgres. */
const beyondRuns = 100_000_000

interface Series extends RolledUp {
  workspaceId: string
  benchResultId: string
  containers: number[]
  actionsEnd: number
  /** Live are seconds from one on, to before another. */
  liveFrom: number
  liveTo: number
}

/** Lets ticks of a run come. */
export async function insertSeries(
  client: ClientBase,
  { workspaceId, benchResultId }: { workspaceId: string; benchResultId: string },
  { secondsMax, containers }: { secondsMax: number; containers: readonly number[] },
): Promise<void> {
  await execute(
    client,
    sql`INSERT INTO bench_series (workspace_id, bench_result_id, seconds_max, containers)
      VALUES (${workspaceId}, ${benchResultId}, ${secondsMax}, ${JSON.stringify(containers)}::jsonb)
      ON CONFLICT DO NOTHING`,
  )
}

/** Actions of a run that were found while it goes on: before anything is told of them. */
export async function addContainers(
  client: ClientBase,
  { workspaceId, benchResultId }: { workspaceId: string; benchResultId: string },
  containers: readonly number[],
): Promise<void> {
  if (containers.length === 0) return
  await execute(
    client,
    sql`UPDATE bench_series SET containers = containers || ${JSON.stringify(containers)}::jsonb
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}`,
  )
}

type Batch = Pick<ReceivedTickBatch, 'agent' | 'sequence' | 'ticks'> &
  Partial<Pick<ReceivedTickBatch, 'actionMax'>>

/** Batches of a run, each with all its ticks, or nothing of it. */
export async function insertBatches(
  client: ClientBase,
  benchResultId: string,
  batches: readonly Batch[],
): Promise<BatchOutcome[]> {
  const actionMax = Math.max(-1, ...batches.map((batch) => batch.actionMax ?? -1))
  const containers = await containersOf(client, benchResultId, actionMax)
  if (containers === undefined) return batches.map(() => 'no_series')
  // Each once, and in the same order everywhere, so that two who insert the same never wait for each other.
  const inOrder = [...new Map(batches.map((batch) => [batchName(batch), batch])).values()].toSorted(
    (a, b) => a.agent - b.agent || a.sequence - b.sequence,
  )
  const ticks = inOrder.flatMap(({ agent, sequence, ticks: all }) =>
    all.map((tick) => ({ agent, sequence, ...tick })),
  )
  const bytes = joinedBytes(ticks.map((tick) => tick.bytes))
  const totals = joinedBytes(ticks.map((tick) => totalsOfTick(tick.bytes, containers)))
  const rows = await queryRows<{ agent: number; sequence: number; outcome: BatchOutcome }>(
    client,
    sql`WITH run AS (
        SELECT workspace_id, bench_result_id, seconds_max FROM bench_series WHERE bench_result_id = ${benchResultId}
      ), told AS (
        SELECT * FROM unnest(${inOrder.map(({ agent }) => agent)}::int[],
          ${inOrder.map(({ sequence }) => sequence)}::int[],
          ${inOrder.map((batch) => batch.ticks.at(-1)?.second ?? 0)}::int[])
          AS told (agent, sequence, last_second)
      ), batch AS (
        INSERT INTO tick_batches (workspace_id, bench_result_id, agent, sequence)
        SELECT workspace_id, bench_result_id, agent, sequence FROM run, told
        WHERE last_second < seconds_max ORDER BY agent, sequence
        ON CONFLICT DO NOTHING RETURNING workspace_id, bench_result_id, agent, sequence
      ), stored AS (
        INSERT INTO live_ticks (workspace_id, bench_result_id, second, agent, sequence, tick, totals)
        SELECT workspace_id, bench_result_id, second, agent, sequence,
          substring(${bytes.all}::bytea FROM start FOR length),
          substring(${totals.all}::bytea FROM totals_start FOR totals_length)
        FROM batch JOIN unnest(${ticks.map(({ agent }) => agent)}::int[],
            ${ticks.map(({ sequence }) => sequence)}::int[], ${ticks.map(({ second }) => second)}::int[],
            ${bytes.starts}::int[], ${bytes.lengths}::int[], ${totals.starts}::int[], ${totals.lengths}::int[])
          AS tick (agent, sequence, second, start, length, totals_start, totals_length) USING (agent, sequence)
      )
      SELECT told.agent, told.sequence, CASE WHEN batch.agent IS NOT NULL THEN 'stored'
          WHEN run.seconds_max IS NULL THEN 'no_series'
          WHEN last_second >= run.seconds_max THEN 'beyond_end' ELSE 'repeated' END AS outcome
      FROM told LEFT JOIN run ON true LEFT JOIN batch USING (agent, sequence)`,
  )
  const outcomes = new Map(rows.map((row) => [batchName(row), row.outcome]))
  const told = new Set<string>()
  return batches.map((batch) => {
    const name = batchName(batch)
    const outcome = outcomes.get(name) ?? 'no_series'
    const isAgain = told.has(name)
    told.add(name)
    return isAgain && outcome === 'stored' ? 'repeated' : outcome
  })
}

function batchName({ agent, sequence }: Pick<Batch, 'agent' | 'sequence'>): string {
  return `${agent} ${sequence}`
}

/** Runs whose containers are remembered, at most. */
const rememberedMax = 1_000
interface Remembered {
  containers: ReadonlySet<number>
  /** What is known of actions up to this one; whoever tells of a later one may have found it since. */
  actionMax: number
}
const remembered = new Map<string, Remembered>()

/** Actions of a run that hold others, of those up to `actionMax` at least; undefined when it has no series. */
async function containersOf(
  client: ClientBase,
  benchResultId: string,
  actionMax: number,
): Promise<ReadonlySet<number> | undefined> {
  const known = remembered.get(benchResultId)
  if (known !== undefined && known.actionMax >= actionMax) return known.containers
  const [run] = await queryRows<{ containers: number[] }>(
    client,
    sql`SELECT containers FROM bench_series WHERE bench_result_id = ${benchResultId}`,
  )
  if (run === undefined) return undefined
  const [oldest] = remembered.keys()
  if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
  const containers = new Set(run.containers)
  remembered.set(benchResultId, { containers, actionMax })
  return containers
}

/**
 * @param known live ticks of which the bytes are not needed
 * @returns of live ticks those that are not known, and which of those that are known are still live
 */
async function readParts(
  client: ClientBase,
  { workspaceId, benchResultId }: { workspaceId: string; benchResultId: string },
  question: SeriesQuestion,
  { from, to, windows }: QuestionPlan,
  known: readonly TickKey[] = [],
): Promise<{ chunks: SeriesChunk[]; live: StoredTick[]; stillLive: TickKey[] }> {
  const column = <Name extends keyof ChunkWindow>(name: Name) => windows.map((window) => window[name])
  const { profiles, actions } = question
  // The first and the last number that an action may have: those of each of them are under a number of their own.
  const firsts = windows.map(({ isOfEach }) => (isOfEach ? eachOfThem : isByAction(question) ? 0 : allOfThem))
  const lasts = windows.map(({ isOfEach }) =>
    isOfEach ? eachOfThem : isByAction(question) ? 2 ** 31 - 1 : allOfThem,
  )
  const liveBytes = isByAction(question) ? sql`tick` : sql`coalesce(totals, tick)`
  const rows = await copyRows(
    client,
    sql`SELECT level, start_second, action, profile, series_chunks.is_apart::int, chunk
      FROM unnest(${column('level')}::int[], ${column('from')}::int[], ${column('to')}::int[],
          ${column('isApart').map(Number)}::int[], ${firsts}::int[], ${lasts}::int[])
        AS wanted (wanted_level, first, "end", is_apart, first_action, last_action)
      JOIN series_chunks ON level = wanted_level AND series_chunks.is_apart = (wanted.is_apart = 1)
        AND action BETWEEN first_action AND last_action AND start_second >= first AND start_second < "end"
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId} AND kind = ${question.kind}
        AND ${isByProfile(question) ? named(profiles, sql`profile`) : sql`profile = ${allOfThem}`}
        AND ${actions ? named([...actions, eachOfThem], sql`action`) : sql`TRUE`}
      UNION ALL
      SELECT ${ofLiveTicks}, second, agent, sequence, 0, CASE WHEN known.second IS NULL THEN ${liveBytes} END
      FROM live_ticks LEFT JOIN unnest(${known.map(({ second }) => second)}::int[],
          ${known.map(({ agent }) => agent)}::int[], ${known.map(({ sequence }) => sequence)}::int[])
        AS known (second, agent, sequence) USING (second, agent, sequence)
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}
        AND second >= ${from} AND second < ${to}`,
  )
  const chunks: SeriesChunk[] = []
  const live: StoredTick[] = []
  const stillLive: TickKey[] = []
  for (const [level, second, action, profile, isApart, bytes] of rows) {
    const place = { level: integerOf(level), second: integerOf(second), action: integerOf(action) }
    if (place.level === ofLiveTicks) {
      const key = { agent: place.action, second: place.second, sequence: integerOf(profile) }
      if (bytes) live.push({ ...key, bytes })
      else stillLive.push(key)
    } else
      chunks.push({
        kind: question.kind,
        level: levelOf(place.level),
        isApart: integerOf(isApart) === 1,
        action: place.action,
        profile: integerOf(profile),
        startSecond: place.second,
        bytes: bytes ?? Buffer.alloc(0),
      })
  }
  return { chunks, live, stillLive }
}

/** In place of a level: a second of an agent, that is in place of the action, and the batch in place of the profile. */
const ofLiveTicks = 0

function levelOf(number: number): Level {
  const level = levels.find((each) => each === number)
  if (level === undefined) throw new TypeError(`There is no level of ${number} s`)
  return level
}

function named(numbers: readonly number[] | undefined, column: Sql): Sql {
  return numbers === undefined ? sql`${column} >= 0` : sql`${column} = ANY (${[...numbers]}::int[])`
}
