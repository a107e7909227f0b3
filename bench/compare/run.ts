// What results of benchmarks cost: storing 100,000 of them, comparing two runs of 10,000, and a history of 5,000 runs.
import { execFileSync } from 'node:child_process'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { ownersCopy } from './copy-by-owner.ts'
import { makeResults, type MadeResult } from './make-results.ts'
import { startWorld, type World } from './world.ts'

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    rounds: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
/** Questions that are asked before it counts: V8 compiles what a server that has run for a minute has long compiled. */
const warmUps = 20

interface Row {
  bench: 'compare'
  metric: string
  peer: string
  ours: number
  theirs: number | null
  ratio: number | null
  goal: number | null
  met: boolean | null
  equal: boolean
}

const parts: Record<string, (world: World) => Promise<Row[]>> = { ingest, comparison, history }
const found =
  values.only === undefined ? Object.keys(parts).flatMap(inOwnProcess) : await measured(values.only)
if (values.json) for (const row of found) console.log(JSON.stringify(row))
else print(found)

async function measured(name: string): Promise<Row[]> {
  const measure = parts[name]
  if (measure === undefined) throw new RangeError(`There are ${Object.keys(parts).join(', ')}.`)
  const world = await startWorld()
  try {
    return await measure(world)
  } finally {
    await world.stop()
  }
}

/** With a heap and a database of its own, not the ones that a million rows went through before. */
function inOwnProcess(name: string): Row[] {
  const args = [import.meta.filename, '--json', '--rounds', values.rounds, '--only', name]
  const output = execFileSync(process.execPath, args, {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return output
    .trimEnd()
    .split('\n')
    .map((line): Row => JSON.parse(line))
}

/** Rows per second of a whole upload's storing, against the same rows by those who are spared the policies of a tenant. */
async function ingest({ submit, stores, caller, admin, ownerUrl, database, place }: World): Promise<Row[]> {
  const count = 100_000
  const owner = await ownersCopy()
  // The benchmarks are known from the run before, as they are in every run but the first.
  await submit(makeResults(count, { seed: 0, rounds: 0 }))
  // The same kind of table, columns, indexes and triggers, without the policies, with which COPY is refused.
  await admin.auth.query(`CREATE TABLE owned_results (LIKE benchmark_results INCLUDING ALL);
    CREATE TRIGGER belong_added AFTER INSERT ON owned_results REFERENCING NEW TABLE AS added
      FOR EACH STATEMENT EXECUTE FUNCTION flamegate_results_belong();
    ALTER TABLE owned_results OWNER TO flamegate_owner;
    INSERT INTO owned_results SELECT * FROM benchmark_results`)
  await admin.auth.query('ANALYZE')
  const rates: { ours: number[]; copy: number[]; createMany: number[] } = {
    ours: [],
    copy: [],
    createMany: [],
  }
  let isCopyEqual = true
  let isCreateManyEqual = true
  for (let round = 1; round <= rounds; round += 1) {
    const { run, ms } = await submit(makeResults(count, { seed: round, rounds: 0 }))
    rates.ours.push((1000 * count) / ms)

    const file = path.join(tmpdir(), `flamegate-bench-${process.pid}.copy`)
    await admin.auth.query(`COPY (SELECT * FROM benchmark_results WHERE run_id = '${run.id}') TO '${file}'`)
    const startedAt = performance.now()
    await owner.copy(ownerUrl, 'owned_results', file)
    rates.copy.push((1000 * count) / (performance.now() - startedAt))
    await rm(file)

    const few = 10_000
    const third = await stores.runs.create(caller, { ...run, id: `${run.id}p` })
    const listed = (await stores.runs.listResults(caller, run.id, { withMetrics: true })).slice(0, few)
    const begunAt = performance.now()
    await database.asCaller(caller, async (transaction) => {
      for (let start = 0; start < few; start += 1_000) {
        await transaction.benchmarkResult.createMany({
          data: listed.slice(start, start + 1_000).map(({ benchmarkId, value, unit, stats, metrics }) => ({
            workspaceId: place.workspaceId,
            runId: third.id,
            benchmarkId,
            value,
            unit,
            stats: { ...stats },
            metrics: metrics.map((metric) => ({ ...metric })),
            createdAt: third.createdAt,
          })),
        })
      }
    })
    rates.createMany.push((1000 * few) / (performance.now() - begunAt))
    await admin.auth.query('ANALYZE')
    isCopyEqual &&= (await sumOf('owned_results', run.id)) === (await sumOf('benchmark_results', run.id))
    isCreateManyEqual &&=
      (await sumOf('benchmark_results', third.id)) === (await sumOf('benchmark_results', run.id, third.id))
  }
  const metric = 'results stored per second'
  const ours = median(rates.ours)
  return [
    ratioRow(metric, owner.name, ours, median(rates.copy), 0.7, isCopyEqual),
    ratioRow(metric, "Prisma's createMany", ours, median(rates.createMany), 20, isCreateManyEqual),
  ]

  /** Count and hash of a run's rows; of those only whose benchmark another run has too, if there is one. */
  async function sumOf(table: string, runId: string, otherId = runId): Promise<string> {
    const { rows } = await admin.auth.query<{ sum: string }>(
      `SELECT count(*) || ' ' || sum(hashtextextended(benchmark_id || value || unit || stats || metrics, 0)) AS sum
        FROM ${table} AS result WHERE run_id = $1 AND EXISTS (
          SELECT FROM benchmark_results AS other WHERE other.workspace_id = result.workspace_id AND other.run_id = $2
            AND other.benchmark_id = result.benchmark_id)`,
      [runId, otherId],
    )
    return rows[0]?.sum ?? ''
  }
}

/** Milliseconds until the last byte over REST. */
async function comparison({ submit, get, admin }: World): Promise<Row[]> {
  const base = await submit(makeResults(10_000, { seed: 1, rounds: 10 }))
  const head = await submit(makeResults(10_000, { seed: 2, rounds: 10, slower: 0.3 }), 'fix')
  await admin.auth.query('ANALYZE')
  const times: number[] = []
  let isEqual = true
  for (let round = -warmUps; round < 4 * rounds; round += 1) {
    const { answer, ms } = await get(
      `/v1/runs/compare?base_run_id=${base.run.id}&head_run_id=${head.run.id}&limit=50`,
    )
    if (round >= 0) times.push(ms)
    // One in a hundred was made slower.
    isEqual &&= JSON.stringify(answer['summary']).startsWith(
      '{"regressed":100,"improved":0,"unchanged":9900,',
    )
  }
  return [limitRow('two runs of 10,000 benchmarks compared over REST, ms', times, 300, isEqual)]
}

async function history({ submit, get, admin, stores, caller, place }: World): Promise<Row[]> {
  const runs = 5_000
  const [made] = makeResults(1, { seed: 1, rounds: 0 })
  const result: MadeResult[] = made === undefined ? [] : [{ ...made, uri: 'history', name: 'history' }]
  const { run } = await submit(result)
  // As uploads would have made them, one after the other.
  await admin.auth.query(
    `INSERT INTO runs SELECT (jsonb_populate_record(runs, jsonb_build_object(
        'id', runs.id || number, 'created_at', runs.created_at + number * interval '1 minute'))).*
      FROM runs, generate_series(2, ${runs}) AS number WHERE runs.id = '${run.id}'`,
  )
  await admin.auth.query(
    `INSERT INTO benchmark_results SELECT (jsonb_populate_record(result, jsonb_build_object(
        'run_id', '${run.id}' || number, 'value', 1000 + 20 * random(),
        'created_at', result.created_at + number * interval '1 minute'))).*
      FROM benchmark_results AS result, generate_series(2, ${runs}) AS number WHERE result.run_id = '${run.id}'`,
  )
  await admin.auth.query('ANALYZE')
  const benchmark = await stores.benchmarks.findByUri(caller, place.projectId, 'history')
  const id = benchmark?.id ?? ''
  const queried: number[] = []
  const answered: number[] = []
  let areQueried = true
  let areAnswered = true
  for (let round = -warmUps; round < 4 * rounds; round += 1) {
    const startedAt = performance.now()
    const { points } = await stores.benchmarks.history(caller, id, { limit: runs })
    const queriedMs = performance.now() - startedAt
    areQueried &&= points.length === runs
    const { answer, ms } = await get(`/v1/benchmarks/${id}/history?limit=${runs}`)
    areAnswered &&= Array.isArray(answer['points']) && answer['points'].length === runs
    if (round < 0) continue
    queried.push(queriedMs)
    answered.push(ms)
  }
  return [
    limitRow('history of 5,000 runs queried, ms', queried, 50, areQueried),
    limitRow('the same over REST with its changes of level, ms', answered, 50, areAnswered),
  ]
}

function ratioRow(
  metric: string,
  peer: string,
  ours: number,
  theirs: number,
  goal: number,
  equal: boolean,
): Row {
  const ratio = ours / theirs
  return { bench: 'compare', metric, peer, ours, theirs, ratio, goal, met: ratio >= goal, equal }
}

function limitRow(metric: string, times: readonly number[], goal: number, equal: boolean): Row {
  const ours = median(times)
  return {
    bench: 'compare',
    metric,
    peer: '',
    ours,
    theirs: null,
    ratio: null,
    goal,
    met: ours <= goal,
    equal,
  }
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN
}

function print(rows: readonly Row[]): void {
  console.log('| metric | peer | ours | theirs | ratio | goal | met | equal |')
  console.log('| --- | --- | --: | --: | --: | --: | --- | --- |')
  for (const { metric, peer, ours, theirs, ratio, goal, met, equal } of rows) {
    const numbers = [ours, theirs, ratio, goal].map((value) => (value === null ? '' : value.toPrecision(3)))
    console.log(
      `| ${metric} | ${peer} | ${numbers.join(' | ')} | ${met ? 'yes' : 'no'} | ${equal ? 'yes' : 'no'} |`,
    )
  }
}
