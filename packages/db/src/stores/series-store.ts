import type { BatchOutcome, SeriesStore } from '@flamegate/operations/ports'
import { answerQuestion, planQuestion, totalsOfTick, windowsOf } from '@flamegate/series'
import type {
  LiveTick,
  QuestionPlan,
  ReceivedTickBatch,
  SeriesChunk,
  SeriesQuestion,
} from '@flamegate/series'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { joinedBytes } from '../joined-bytes.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, type Sql } from '../sql.ts'
import { rollUpSealed, sealWindows } from './seal-series.ts'

export function seriesStore(database: Database): SeriesStore {
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

    appendBatch: (caller, batch) => database.asCallerSql(caller, (client) => insertBatch(client, batch)),

    seal: async (caller, benchResultId, to) => {
      const sealed = await sealWindows(database, caller, benchResultId, to)
      await rollUpSealed(database, caller, benchResultId, to)
      return sealed
    },

    query: (caller, benchResultId, question) =>
      database.asCallerSql(caller, async (client) => {
        const [run] = await queryRows<{ workspaceId: string; containers: number[]; rolledTo: number }>(
          client,
          sql`SELECT workspace_id AS "workspaceId", containers, rolled_to AS "rolledTo" FROM bench_series
            WHERE bench_result_id = ${benchResultId}`,
        )
        if (run === undefined) return undefined
        const plan = planQuestion(question, run.rolledTo)
        const place = { workspaceId: run.workspaceId, benchResultId }
        const data = await readParts(client, place, question, plan)
        return answerQuestion(question, plan, { ...data, run: { containers: new Set(run.containers) } })
      }),

    countBytes: (caller, workspaceId) =>
      database.asCallerSql(caller, async (client) => {
        const [counted] = await queryRows<{ bytes: number }>(
          client,
          sql`SELECT ((SELECT coalesce(sum(chunk_bytes), 0) FROM bench_series WHERE workspace_id = ${workspaceId})
            + (SELECT coalesce(sum(length(tick)), 0) FROM live_ticks WHERE workspace_id = ${workspaceId}))::float8
            AS bytes`,
        )
        return counted?.bytes ?? 0
      }),

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

/** A batch with all its ticks, or nothing of it. */
export async function insertBatch(
  client: ClientBase,
  {
    benchResultId,
    agent,
    sequence,
    ticks,
  }: Pick<ReceivedTickBatch, 'benchResultId' | 'agent' | 'sequence' | 'ticks'>,
): Promise<BatchOutcome> {
  const containers = await containersOf(client, benchResultId)
  if (containers === undefined) return 'no_series'
  const bytes = joinedBytes(ticks.map((tick) => tick.bytes))
  const totals = joinedBytes(ticks.map((tick) => totalsOfTick(tick.bytes, containers)))
  // Seconds rise.
  const last = ticks.at(-1)?.second ?? 0
  const [outcome] = await queryRows<{ outcome: BatchOutcome }>(
    client,
    sql`WITH run AS (
        SELECT workspace_id, bench_result_id, seconds_max FROM bench_series WHERE bench_result_id = ${benchResultId}
      ), batch AS (
        INSERT INTO tick_batches (workspace_id, bench_result_id, agent, sequence)
        SELECT workspace_id, bench_result_id, ${agent}::int, ${sequence}::int FROM run
        WHERE ${last}::int < seconds_max
        ON CONFLICT DO NOTHING RETURNING workspace_id, bench_result_id
      ), stored AS (
        INSERT INTO live_ticks (workspace_id, bench_result_id, second, agent, sequence, tick, totals)
        SELECT workspace_id, bench_result_id, second, ${agent}::int, ${sequence}::int,
          substring(${bytes.all}::bytea FROM start FOR length),
          substring(${totals.all}::bytea FROM totals_start FOR totals_length)
        FROM batch, unnest(${ticks.map(({ second }) => second)}::int[], ${bytes.starts}::int[],
          ${bytes.lengths}::int[], ${totals.starts}::int[], ${totals.lengths}::int[])
          AS tick (second, start, length, totals_start, totals_length)
      )
      SELECT CASE WHEN EXISTS (SELECT FROM batch) THEN 'stored'
        WHEN NOT EXISTS (SELECT FROM run) THEN 'no_series'
        WHEN (SELECT seconds_max FROM run) <= ${last}::int THEN 'beyond_end'
        ELSE 'repeated' END AS outcome`,
  )
  return outcome?.outcome ?? 'no_series'
}

/** Runs whose containers are remembered, which never change. */
const rememberedMax = 1_000
const remembered = new Map<string, ReadonlySet<number>>()

/** Actions of a run that hold others; undefined when it has no series. */
async function containersOf(
  client: ClientBase,
  benchResultId: string,
): Promise<ReadonlySet<number> | undefined> {
  const known = remembered.get(benchResultId)
  if (known !== undefined) return known
  const [run] = await queryRows<{ containers: number[] }>(
    client,
    sql`SELECT containers FROM bench_series WHERE bench_result_id = ${benchResultId}`,
  )
  if (run === undefined) return undefined
  const [oldest] = remembered.keys()
  if (remembered.size >= rememberedMax && oldest !== undefined) remembered.delete(oldest)
  const containers = new Set(run.containers)
  remembered.set(benchResultId, containers)
  return containers
}

/** A chunk, or a live tick, of which the agent is known and the rest is not. */
type Part = LiveTick | (SeriesChunk & { agent: null })

/** In one statement, which sees one moment: what is sealed meanwhile is in it once. */
async function readParts(
  client: ClientBase,
  { workspaceId, benchResultId }: { workspaceId: string; benchResultId: string },
  question: SeriesQuestion,
  { from, to, spans }: QuestionPlan,
): Promise<{ chunks: SeriesChunk[]; live: LiveTick[] }> {
  const windows = windowsOf(spans)
  const column = (name: 'level' | 'from' | 'to') => windows.map((window) => window[name])
  const liveBytes = isByAction(question) ? sql`tick` : sql`coalesce(totals, tick)`
  const parts = await queryRows<Part>(
    client,
    sql`SELECT NULL::int AS agent, NULL::int AS second, kind, is_apart AS "isApart", action, profile, series_chunks.level,
        start_second AS "startSecond", chunk AS bytes
      FROM unnest(${column('level')}::int[], ${column('from')}::int[], ${column('to')}::int[])
        AS wanted (level, first, "end")
      JOIN series_chunks ON series_chunks.level = wanted.level AND start_second >= first AND start_second < "end"
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId} AND kind = ${question.kind}
        ${whichSeries(question)} ${withAgents(question)}
      UNION ALL
      SELECT agent, second, NULL, NULL, NULL, NULL, NULL, NULL, ${liveBytes} FROM live_ticks
      WHERE workspace_id = ${workspaceId} AND bench_result_id = ${benchResultId}
        AND second >= ${from} AND second < ${to}`,
  )
  const chunks: SeriesChunk[] = []
  const live: LiveTick[] = []
  for (const part of parts)
    if (part.agent === null) chunks.push(part)
    else live.push(part)
  return { chunks, live }
}

/** Which chunks `answerQuestion` takes; it would leave out the others itself. */
function whichSeries(question: SeriesQuestion): Sql {
  const { kind, profiles, actions, apart } = question
  const byAction = isByAction(question)
  const byProfile = kind !== 'generator' && (byAction || profiles !== undefined || apart === 'profile')
  return sql`${byAction ? named(actions, sql`action`) : sql`AND action = -1`}
    ${byProfile ? named(profiles, sql`profile`) : sql`AND profile = -1`}`
}

function isByAction({ kind, actions, apart }: SeriesQuestion): boolean {
  return kind === 'requests' && (actions !== undefined || apart === 'action')
}

function named(numbers: readonly number[] | undefined, column: Sql): Sql {
  return numbers === undefined ? sql`AND ${column} >= 0` : sql`AND ${column} = ANY (${[...numbers]}::int[])`
}

/** As `hasRowsOf` has it. */
function withAgents(question: SeriesQuestion): Sql {
  const { kind, agent, apart } = question
  if (kind !== 'requests') return nothing
  if (agent !== undefined || apart === 'agent') return sql`AND is_apart`
  return isByAction(question) ? sql`AND is_apart = (series_chunks.level = 10)` : sql`AND NOT is_apart`
}
