import type { Result, Run, RunStore } from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { decodeRounds } from '../rounds.ts'
import { execute, nothing, queryRows, sql, startAfter, type Sql } from '../sql.ts'
import { storableJson } from '../storable.ts'
import { ensureEnvironment } from './environment.ts'
import { tell } from './outbox.ts'
import { insertResults } from './result-rows.ts'
import { readResults } from './run-results.ts'

const selectRuns = sql`SELECT runs.id, runs.workspace_id AS "workspaceId", runs.project_id AS "projectId", runs.branch,
  runs.commit_hash AS "commitHash", runs.commit_message AS "commitMessage", runs.pull_request AS "pullRequest",
  runs.event, runs.status, runs.adapter, runs.tags, runs.result_count AS "resultCount", runs.warnings,
  runs.base_branch AS "baseBranch", runs.base_commit_hash AS "baseCommitHash",
  runs.measurement_id AS "measurementId",
  coalesce(environments.facts, '{}') AS environment,
  runs.committed_at AS "committedAt", runs.created_at AS "createdAt", runs.unjudged_since AS "unjudgedSince"
  FROM runs LEFT JOIN environments
    ON environments.workspace_id = runs.workspace_id AND environments.id = runs.environment_id`

const resultColumns = sql`benchmarks.id AS "benchmarkId", benchmarks.uri, benchmarks.name, benchmarks.instrument,
  benchmarks.metric, benchmarks.better_when AS "betterWhen", benchmarks.state,
  benchmarks.is_critical AS "isCritical", benchmarks.threshold_percent AS "thresholdPercent",
  benchmarks.noise_percent AS "noisePercent", benchmarks.noise_runs AS "noiseRuns", benchmark_results.value,
  benchmark_results.unit, benchmark_results.stats, nullif(benchmark_results.process_values, '{}') AS "processValues"`

const fromResults = sql`FROM benchmark_results JOIN benchmarks
  ON benchmarks.workspace_id = benchmark_results.workspace_id AND benchmarks.id = benchmark_results.benchmark_id`

export function runStore(database: Database): RunStore {
  return {
    list: (caller, projectId, page, filter) =>
      database.asCallerSql(caller, (client) =>
        queryRows<Run>(
          client,
          sql`${selectRuns} WHERE runs.project_id = ${projectId}
            ${filter.branch === undefined ? nothing : sql`AND runs.branch = ${filter.branch}`}
            ${filter.event === undefined ? nothing : sql`AND runs.event = ${filter.event}`}
            ${filter.pullRequest === undefined ? nothing : sql`AND runs.pull_request = ${filter.pullRequest}`}
            ${filter.status === undefined ? nothing : sql`AND runs.status = ${filter.status}`}
            ${startAfter(page.after, sql`runs.created_at, runs.id`)}
            ORDER BY runs.created_at DESC, runs.id DESC LIMIT ${page.limit + 1}`,
        ),
      ),

    find: (caller, id) => database.asCallerSql(caller, (client) => findRun(client, id)),

    remove: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const run = await findRun(client, id)
        if (run === undefined) return false
        mustWrite(caller, run.workspaceId)
        await execute(client, sql`DELETE FROM runs WHERE workspace_id = ${run.workspaceId} AND id = ${id}`)
        return true
      }),

    findLatest: (caller, filter) =>
      database.asCallerSql(caller, async (client) => {
        const where = sql`runs.status = 'COMPLETED'
          ${filter.branch === undefined ? nothing : sql`AND runs.branch = ${filter.branch}`}
          ${filter.commitHash === undefined ? nothing : sql`AND runs.commit_hash BETWEEN ${filter.commitHash} AND ${filter.commitHash} || 'g'`}
          ${filter.notCommitHash === undefined ? nothing : sql`AND runs.commit_hash <> ${filter.notCommitHash}`}
          ${filter.measurementId === undefined ? nothing : sql`AND runs.measurement_id = ${filter.measurementId}`}
          ${filter.before === undefined ? nothing : sql`AND runs.created_at < ${filter.before}`}`
        const newestFirst = sql`ORDER BY runs.created_at DESC, runs.id DESC`
        const { measuringLike: like } = filter
        if (like !== undefined) return findMeasuringLike(client, like, sql`${where} ${newestFirst}`)
        const [run] = await queryRows<Run>(
          client,
          filter.projectId === undefined
            ? // Of each workspace its newest by index, and of those the newest.
              sql`${selectRuns} JOIN (
                SELECT newest.id FROM unnest(${[...caller.roles.keys()]}::text[]) AS readable (workspace_id)
                CROSS JOIN LATERAL (
                  SELECT id FROM runs WHERE runs.workspace_id = readable.workspace_id AND ${where} ${newestFirst} LIMIT 1
                ) AS newest
              ) AS candidates ON candidates.id = runs.id ${newestFirst} LIMIT 1`
            : sql`${selectRuns} WHERE runs.project_id = ${filter.projectId} AND ${where} ${newestFirst} LIMIT 1`,
        )
        return run
      }),

    create: (caller, run, ciRun) =>
      database.asCallerSql(caller, async (client) => {
        const environmentId = await ensureEnvironment(client, run, run.environment)
        await execute(
          client,
          sql`INSERT INTO runs (workspace_id, id, project_id, branch, commit_hash, commit_message, pull_request, event,
              status, environment_id, tags, base_branch, base_commit_hash, committed_at, created_by, ci_run, measurement_id)
            VALUES (${run.workspaceId}, ${run.id}, ${run.projectId}, ${run.branch}, ${run.commitHash},
              ${run.commitMessage}, ${run.pullRequest}, ${run.event}, ${run.status}, ${environmentId}, ${run.tags},
              ${run.baseBranch}, ${run.baseCommitHash},
              ${run.committedAt}, ${caller.principal.userId}, ${ciRun ?? null}, ${run.measurementId})
            ON CONFLICT (workspace_id, project_id, commit_hash, ci_run) DO NOTHING`,
        )
        if (ciRun === undefined) return getRun(client, run.id)
        const [ofCiRun] = await queryRows<Run>(
          client,
          sql`${selectRuns} WHERE runs.workspace_id = ${run.workspaceId} AND runs.project_id = ${run.projectId}
            AND runs.commit_hash = ${run.commitHash} AND runs.ci_run = ${ciRun}`,
        )
        return ofCiRun ?? getRun(client, run.id)
      }),

    complete: (caller, runId, outcome) =>
      database.asCallerSql(caller, async (client) => {
        const seen = await getRun(client, runId)
        mustWrite(caller, seen.workspaceId)
        // Looked at again under the lock: the job may be running twice, or another file for the run be read. Whoever only refers to
        // the run does not wait, such as one who merges benchmarks, for whom we wait.
        await execute(
          client,
          sql`SELECT FROM runs WHERE workspace_id = ${seen.workspaceId} AND id = ${runId} FOR NO KEY UPDATE`,
        )
        const run = await getRun(client, runId)
        const environmentId = await ensureEnvironment(client, run, {
          ...run.environment,
          ...outcome.environment,
        })
        const stored = await insertResults(client, { ...run, runId }, outcome.results)
        const adapters = new Set([...(run.adapter?.split(', ') ?? []), outcome.adapter])
        const warnings = new Set([...run.warnings, ...outcome.warnings])
        await execute(
          client,
          sql`UPDATE runs SET status = 'COMPLETED', adapter = ${[...adapters].join(', ')},
              result_count = ${
                run.resultCount === 0
                  ? stored
                  : sql`(SELECT count(*) FROM benchmark_results
                WHERE workspace_id = ${run.workspaceId} AND run_id = ${runId})`
              },
              warnings = ${storableJson([...warnings])}, environment_id = ${environmentId},
              unjudged_since = clock_timestamp()
            WHERE workspace_id = ${run.workspaceId} AND id = ${runId}`,
        )
        await tell(client, {
          ...run,
          event: 'run.completed',
          subjectIds: [runId],
          isForGithub: run.pullRequest !== null,
        })
        return getRun(client, runId)
      }),

    fail: (caller, runId, warnings) =>
      database.asCallerSql(caller, async (client) => {
        const run = await findRun(client, runId)
        if (!run) return
        mustWrite(caller, run.workspaceId)
        await execute(
          client,
          sql`UPDATE runs SET status = 'FAILURE', warnings = ${storableJson(warnings)}
            WHERE workspace_id = ${run.workspaceId} AND id = ${runId} AND status = 'PENDING'`,
        )
      }),

    markJudged: async (caller, runId, since) => {
      await database.asCallerSql(caller, (client) =>
        execute(
          client,
          sql`UPDATE runs SET unjudged_since = NULL WHERE id = ${runId} AND unjudged_since = ${since}`,
        ),
      )
    },

    listResults: async (caller, runId, { withMetrics = false } = {}) =>
      (await readResults(database, caller, [runId], { withMetrics })).flat(),

    listResultsOf: (caller, runIds) => readResults(database, caller, runIds, { withMetrics: false }),

    readRounds: async (caller, runId, benchmarkIds) => {
      if (benchmarkIds.length === 0) return new Map()
      const rows = await database.asCallerSql(caller, (client) =>
        queryRows<{ benchmarkId: string; rounds: Buffer }>(
          client,
          sql`SELECT benchmark_id AS "benchmarkId", rounds FROM benchmark_results
            WHERE run_id = ${runId} AND benchmark_id = ANY (${benchmarkIds}::text[]) AND rounds IS NOT NULL`,
        ),
      )
      return new Map(rows.map(({ benchmarkId, rounds }) => [benchmarkId, decodeRounds(rounds)]))
    },

    findResult: async (caller, runId, benchmark) => {
      const [row] = await database.asCallerSql(caller, (client) =>
        queryRows<Omit<Result, 'roundValues'> & { rounds: Buffer | null }>(
          client,
          sql`SELECT ${resultColumns}, benchmark_results.metrics, benchmark_results.rounds
            ${fromResults} WHERE benchmark_results.run_id = ${runId}
            AND (benchmarks.id = ${benchmark} OR benchmarks.uri = ${benchmark} OR benchmarks.id IN (
              SELECT benchmark_id FROM benchmark_uris WHERE benchmark_uris.project_id = benchmarks.project_id
                AND benchmark_uris.uri = ${benchmark}
              UNION ALL SELECT benchmark_id FROM merged_benchmarks WHERE merged_benchmarks.id = ${benchmark}))
            ORDER BY benchmarks.id = ${benchmark} OR benchmarks.uri = ${benchmark} DESC,
              benchmarks.instrument = 'walltime' DESC, benchmarks.instrument, benchmarks.metric LIMIT 1`,
        ),
      )
      if (!row) return undefined
      const { rounds, ...result } = row
      return rounds ? { ...result, roundValues: decodeRounds(rounds) } : result
    },
  }
}

/** Runs that are looked at for one that measured the same: as many as one commit has jobs, a few times over. */
const measuringLikeMax = 100
/** Of a run those of its benchmarks that are looked for in others: the ones that there have been for longest. */
const comparedBenchmarksMax = 100

async function findMeasuringLike(
  client: ClientBase,
  { workspaceId, projectId, id }: Run,
  whereNewestFirst: Sql,
): Promise<Run | undefined> {
  // OFFSET 0 keeps the planner from holding all results of all these runs against each other: the newest is asked first,
  // and as a rule the only one.
  const [run] = await queryRows<Run>(
    client,
    sql`${selectRuns} JOIN (
        SELECT newest.id FROM (
          SELECT runs.id, runs.created_at FROM runs WHERE runs.project_id = ${projectId} AND runs.id <> ${id}
            AND ${whereNewestFirst} LIMIT ${measuringLikeMax}
        ) AS newest WHERE EXISTS (
          SELECT FROM benchmark_results AS other WHERE other.workspace_id = ${workspaceId}
            AND other.run_id = newest.id AND other.benchmark_id = ANY (ARRAY (
              SELECT benchmark_id FROM benchmark_results WHERE workspace_id = ${workspaceId} AND run_id = ${id}
                ORDER BY benchmark_id LIMIT ${comparedBenchmarksMax}
            )) OFFSET 0
        ) ORDER BY newest.created_at DESC, newest.id DESC LIMIT 1
      ) AS like_it ON like_it.id = runs.id`,
  )
  return run
}

async function findRun(client: ClientBase, id: string): Promise<Run | undefined> {
  const [run] = await queryRows<Run>(client, sql`${selectRuns} WHERE runs.id = ${id}`)
  return run
}

async function getRun(client: ClientBase, id: string): Promise<Run> {
  const run = await findRun(client, id)
  if (!run) throw new Error(`Run ${id} is gone`)
  return run
}
