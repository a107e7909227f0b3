import { setImmediate as otherWork } from 'node:timers/promises'
import type { Caller } from '@flamegate/contract'
import type { Sealed } from '@flamegate/operations/ports'
import {
  allOfThem,
  eachOfThem,
  hourSeconds,
  rolledSeconds,
  sealedActions,
  sealedMinutes,
  sealedTotals,
  windowSeconds,
} from '@flamegate/series'
import type { ActionMinutes, RolledUp, SealedTick, SeriesChunk, SeriesKey } from '@flamegate/series'
import type { ClientBase } from 'pg'
import { copyRows, integerOf } from '../copy-rows.ts'
import type { Database } from '../database.ts'
import { joinedBytes } from '../joined-bytes.ts'
import { mustWrite } from '../row-scope.ts'
import { rolledUp, type RollingUp } from '../series-threads/jobs.ts'
import type { SeriesThreads } from '../series-threads/series-threads.ts'
import { execute, queryRows, sql, type Sql } from '../sql.ts'

/** What is sealed, for whom, and who lends a hand. */
interface Sealing {
  database: Database
  threads: SeriesThreads
  caller: Caller
  benchResultId: string
  to: number | 'end'
}

/** The row of a run's series while nobody else seals it. */
interface Locked extends RolledUp {
  workspaceId: string
  benchResultId: string
  containers: number[]
}

/**
 * Window by window, each in a transaction of its own: its ticks go from the live table in the same one in which their chunks
 * come, so that a reader finds them in one of the two, and so does whoever comes after a crash.
 */
export async function sealWindows(sealing: Sealing): Promise<Sealed> {
  const sealed = { ticks: 0, windows: 0 }
  for (;;) {
    const ticks = await sealing.database.asCallerSql(sealing.caller, (client) => sealNext(client, sealing))
    if (ticks === 0) return sealed
    sealed.ticks += ticks
    sealed.windows += 1
  }
}

/** The first window that has ticks and ends by `to`. Gives how many it had; 0 when there is none. */
async function sealNext(
  client: ClientBase,
  { threads, caller, benchResultId, to }: Sealing,
): Promise<number> {
  const run = await lock(client, caller, benchResultId)
  if (run === undefined) return 0
  const { workspaceId } = run
  const [first] = await queryRows<{ second: number | null }>(
    client,
    sql`SELECT min(second) AS second FROM live_ticks
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}`,
  )
  if (first?.second === null || first?.second === undefined) return 0
  const start = Math.floor(first.second / windowSeconds) * windowSeconds
  if (to !== 'end' && start + windowSeconds > to) return 0
  // What comes from now on is not seen here, and stays for the next time.
  const rows = await copyRows(
    client,
    sql`DELETE FROM live_ticks WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}
      AND second >= ${start} AND second < ${start + windowSeconds} RETURNING agent, second, tick, totals`,
  )
  const ticks = rows.map(([agent, second, tick, totals]): SealedTick => ({
    agent: integerOf(agent),
    second: integerOf(second),
    bytes: tick ?? Buffer.alloc(0),
    totals: totals ?? null,
  }))
  const before = await chunksAt(client, run, start)
  const toldOfActions = ticks.map(({ agent, second, bytes }) => ({ agent, second, bytes }))
  const { isMine, others } = threads.share('sealActions', toldOfActions, { before })
  const minutes: ActionMinutes = new Map()
  const own = [
    sealedTotals(ticks, { containers: new Set(run.containers) }, before),
    sealedActions(ticks, before, minutes, isMine),
  ]
  await store(client, run, oneByOne(own))
  const made = await others()
  const parts = [minutes, ...made.map((part) => part.minutes)]
  await store(
    client,
    run,
    oneByOne([made.flatMap(({ chunks }) => chunks.map(alone)), sealedMinutes(parts, start, before)]),
  )
  if (start < run.rolledTo) await rollUpAt(client, run, start, rolledSeconds, threads)
  if (start < run.hoursTo) await rollUpAt(client, run, start, hourSeconds, threads)
  return ticks.length
}

/**
 * Makes the chunks of ten minutes of all that was sealed to the end, and those of the hours that have these; of ten minutes
 * without anything there are none.
 */
export async function rollUpSealed({ database, threads, caller, benchResultId, to }: Sealing): Promise<void> {
  for (;;) {
    const isDone = await database.asCallerSql(caller, async (client) => {
      const run = await lock(client, caller, benchResultId)
      if (run === undefined) return true
      const first = await firstSealedFrom(client, run, run.rolledTo)
      if (first === undefined) return true
      const start = Math.floor(first / rolledSeconds) * rolledSeconds
      const end = start + rolledSeconds
      if (to !== 'end' && end > to) return true
      await rollUpAt(client, run, start, rolledSeconds, threads)
      for (const hour of await hoursFrom(client, run))
        // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
        await rollUpAt(client, run, hour, hourSeconds, threads)
      await execute(
        client,
        sql`UPDATE bench_series SET rolled_to = ${end}, hours_to = ${end}
          WHERE workspace_id = ${run.workspaceId} AND bench_result_id = ${benchResultId}`,
      )
      return false
    })
    if (isDone) return
  }
}

/** As it is, until the transaction ends: others that seal wait, those that add ticks do not. */
async function lock(client: ClientBase, caller: Caller, benchResultId: string): Promise<Locked | undefined> {
  const [seen] = await queryRows<{ workspaceId: string }>(
    client,
    sql`SELECT workspace_id AS "workspaceId" FROM bench_series WHERE bench_result_id = ${benchResultId}`,
  )
  if (seen === undefined) return undefined
  mustWrite(caller, seen.workspaceId)
  const [run] = await queryRows<Locked>(
    client,
    sql`SELECT workspace_id AS "workspaceId", bench_result_id AS "benchResultId", containers, rolled_to AS "rolledTo",
        hours_to AS "hoursTo"
      FROM bench_series WHERE workspace_id = ${seen.workspaceId} AND bench_result_id = ${benchResultId}
      FOR NO KEY UPDATE`,
  )
  return run
}

const chunkColumns = sql`kind, is_apart AS "isApart", action, profile, level, start_second AS "startSecond",
  chunk AS bytes`

/** What was sealed of a window before, as `isOfWindow` has it. Every window that was has chunks of generators. */
async function chunksAt(
  client: ClientBase,
  { workspaceId, benchResultId }: Locked,
  start: number,
): Promise<SeriesChunk[]> {
  const [sealedBefore] = await queryRows(
    client,
    sql`SELECT FROM series_chunks WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}
      AND level = 1 AND kind = 'generator' AND action = -1 AND profile = -1 AND start_second = ${start}`,
  )
  if (sealedBefore === undefined) return []
  return queryRows<SeriesChunk>(
    client,
    sql`SELECT ${chunkColumns} FROM series_chunks
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}
        AND start_second = ${start} AND (level IN (1, 10) OR (level = 60 AND kind = 'requests' AND action < 0))`,
  )
}

/** Where the first window begins that was sealed from some second on, as far as there is one. */
async function firstSealedFrom(
  client: ClientBase,
  { workspaceId, benchResultId }: Locked,
  second: number,
): Promise<number | undefined> {
  const [first] = await queryRows<{ start: number }>(
    client,
    sql`SELECT start_second AS start FROM series_chunks
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}
        AND level = 1 AND kind = 'generator' AND NOT is_apart AND action = -1 AND profile = -1
        AND start_second >= ${second}
      ORDER BY start_second LIMIT 1`,
  )
  return first?.start
}

/** Hours of which there is anything that is in no chunk of them: one, but where there were no such chunks when a run began. */
async function hoursFrom(
  client: ClientBase,
  { workspaceId, benchResultId, hoursTo }: Locked,
): Promise<number[]> {
  const rows = await queryRows<{ hour: number }>(
    client,
    sql`SELECT DISTINCT start_second / ${hourSeconds} * ${hourSeconds} AS hour FROM series_chunks
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId} AND ${chunksOf[hourSeconds]}
        AND start_second >= ${hoursTo}`,
  )
  return rows.map(({ hour }) => hour)
}

/** What chunks of as many seconds are made of: of ten minutes as `isRolledUp` has it, of hours those of ten minutes of each action. */
const chunksOf: Record<RollingUp['seconds'], Sql> = {
  [rolledSeconds]: sql`((level = 10 AND (kind <> 'requests' OR (is_apart AND action >= 0)))
    OR (level = 60 AND kind = 'requests' AND action < 0 AND is_apart = (action = ${allOfThem})))`,
  [hourSeconds]: sql`level = ${rolledSeconds} AND kind = 'requests' AND NOT is_apart AND action = ${eachOfThem}`,
}

/** As many bytes of chunks are rolled up at once, or one series. */
const rolledBytes = 32 * 1024 * 1024

/** The chunks of the ten minutes, or of the hour, that have a second, of all that is sealed of them by now. */
async function rollUpAt(
  client: ClientBase,
  run: Locked,
  second: number,
  seconds: RollingUp['seconds'],
  threads: SeriesThreads,
): Promise<void> {
  const startSecond = Math.floor(second / seconds) * seconds
  const areRolledUp = sql`workspace_id = ${run.workspaceId} AND bench_result_id = ${run.benchResultId}
    AND start_second >= ${startSecond} AND start_second < ${startSecond + seconds} AND ${chunksOf[seconds]}`
  const series = await queryRows<SeriesKey & { bytes: number }>(
    client,
    sql`SELECT kind, profile, action, sum(length(chunk))::int AS bytes FROM series_chunks WHERE ${areRolledUp}
      GROUP BY kind, profile, action`,
  )
  for (const some of inParts(series, rolledBytes)) {
    const column = <Name extends keyof SeriesKey>(name: Name) => some.map((key) => key[name])
    // oxlint-disable-next-line no-await-in-loop -- one transaction has one connection
    const rows = await copyRows(
      client,
      sql`SELECT place::int, chunk FROM series_chunks JOIN unnest(${column('kind')}::text[],
          ${column('profile')}::int[], ${column('action')}::int[]) WITH ORDINALITY
          AS wanted (kind, profile, action, place) USING (kind, profile, action)
        WHERE ${areRolledUp} ORDER BY place, start_second`,
    )
    const given = rows.map(([place, chunk]) => ({
      place: integerOf(place) - 1,
      bytes: chunk ?? Buffer.alloc(0),
    }))
    const keys = some.map(({ kind, profile, action }) => ({ kind, profile, action }))
    const asked = { series: keys, startSecond, seconds }
    const { isMine, others } = threads.share('rollUp', given, asked)
    // oxlint-disable-next-line no-await-in-loop -- the same
    await store(client, run, rolledUp(given, asked, isMine))
    // oxlint-disable-next-line no-await-in-loop -- the same
    await store(client, run, (await others()).flat().map(alone))
  }
}

/** As a list of its own. */
function alone(chunk: SeriesChunk): SeriesChunk[] {
  return [chunk]
}

/** What is in all of them. */
function* oneByOne<Item>(lists: readonly Iterable<Item>[]): Generator<Item> {
  for (const list of lists) yield* list
}

/** Parts of at most so many bytes, or of one. */
function inParts<Item extends { bytes: number }>(items: readonly Item[], bytesMax: number): Item[][] {
  const parts: Item[][] = []
  let bytes = Infinity
  for (const item of items) {
    if (bytes + item.bytes > bytesMax) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(item)
    bytes += item.bytes
  }
  return parts
}

/** About half a megabyte. */
const chunksPerInsert = 200
const seriesPerTurn = 10

/** The database stores the ones while the next are made; and whatever else there is to do here gets its turns. */
async function store(
  client: ClientBase,
  run: Locked,
  series: Iterable<readonly SeriesChunk[]>,
): Promise<void> {
  let inserting = Promise.resolve()
  let made: SeriesChunk[] = []
  let count = 0
  /* oxlint-disable no-await-in-loop -- one transaction has one connection */
  for (const chunks of series) {
    made.push(...chunks)
    if (made.length >= chunksPerInsert) {
      await inserting
      inserting = insertChunks(client, run, made)
      // It is waited for below; until then nobody hears of it.
      inserting.catch(() => undefined)
      made = []
    }
    if (++count % seriesPerTurn === 0) await otherWork()
  }
  /* oxlint-enable no-await-in-loop */
  await inserting
  if (made.length > 0) await insertChunks(client, run, made)
}

/** Also counts their bytes, in place of those of the ones that they replace. */
async function insertChunks(
  client: ClientBase,
  { workspaceId, benchResultId }: Locked,
  chunks: readonly SeriesChunk[],
): Promise<void> {
  const bytes = joinedBytes(chunks.map((chunk) => chunk.bytes))
  const column = <Name extends keyof SeriesChunk>(name: Name) => chunks.map((chunk) => chunk[name])
  await execute(
    client,
    sql`WITH stored AS (
        INSERT INTO series_chunks
          (workspace_id, bench_result_id, level, kind, is_apart, action, profile, start_second, chunk)
        SELECT ${workspaceId}, ${benchResultId}, level, kind, is_apart, action, profile, start_second,
          substring(${bytes.all}::bytea FROM start FOR length)
        FROM unnest(${column('level')}::int[], ${column('kind')}::text[], ${column('isApart')}::boolean[],
          ${column('action')}::int[], ${column('profile')}::int[], ${column('startSecond')}::int[],
          ${bytes.starts}::int[], ${bytes.lengths}::int[])
          AS piece (level, kind, is_apart, action, profile, start_second, start, length)
        ON CONFLICT (workspace_id, bench_result_id, level, kind, is_apart, action, profile, start_second)
          DO UPDATE SET chunk = excluded.chunk
        RETURNING length(new.chunk) - coalesce(length(old.chunk), 0) AS more
      )
      UPDATE bench_series SET chunk_bytes = chunk_bytes + (SELECT coalesce(sum(more), 0) FROM stored)
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}`,
  )
}
