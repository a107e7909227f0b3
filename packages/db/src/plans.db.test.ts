import { newId } from '@flamegate/contract'
import type { NewResult, Run, Stores } from '@flamegate/operations/ports'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openDatabase, type Database } from './database.ts'
import { createStores } from './stores.ts'
import { inSequence, plainRun, prepareProject } from './testing.ts'

// One connection, which has asked everything often while there was next to nothing, and so keeps its plans; and tables
// that were analysed then. Afterwards benchmarks are added, a few at a time and many at once.

const count = 1_000

const { at, ada, projectId, asAda } = prepareProject()
let database: Database
let stores: Stores
let close: () => Promise<void>
let small: Run
let large: Run

beforeAll(async () => {
  const log = { info: () => undefined, error: () => undefined }
  database = openDatabase({ appUrl: at.urls.appUrl, authUrl: at.urls.authUrl, poolSize: 1, log })
  const data = createStores(database)
  ;({ stores } = data)
  close = async () => {
    await data.close()
    await database.close()
  }
  small = await submit(1)
  await at.admin.query('ANALYZE')
  await inSequence(Array.from({ length: 8 }), () => askEverything(small))
  await inSequence([2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20], submit)
  large = await submit(count)
})
afterAll(() => close?.())

async function submit(benchmarks: number): Promise<Run> {
  const { id } = await stores.runs.create(asAda(), {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId,
    commitHash: 'c0ffee',
    commitMessage: 'Brew',
  })
  const results = Array.from({ length: benchmarks }, (_, index): NewResult => {
    const uri = `bench ${index}`
    const measured = { value: index, unit: 'ns', stats: {}, metrics: [], roundValues: [index, index] }
    return { uri, name: uri, instrument: 'walltime', metric: 'time', betterWhen: 'lower', ...measured }
  })
  return stores.runs.complete(asAda(), id, { adapter: 'custom', warnings: [], environment: {}, results })
}

async function askEverything(run: Run): Promise<string[]> {
  const results = await stores.runs.listResults(asAda(), run.id)
  const ids = results.map(({ benchmarkId }) => benchmarkId)
  await stores.runs.readRounds(asAda(), run.id, ids)
  await stores.benchmarks.series(asAda(), ids, { upTo: run, branch: run.branch, runs: 50 })
  await stores.benchmarks.noteNoise(
    asAda(),
    run.workspaceId,
    ids.map((benchmarkId) => ({ benchmarkId, percent: 1, runs: 9 })),
  )
  return ids
}

/** Rows read by going through a whole table, and searches of an index, by all connections. */
const stepsDone = () => sumOf('seq_tup_read + idx_scan')

/** Rows read, in whichever way. */
const rowsRead = () => sumOf('seq_tup_read + idx_tup_fetch')

async function sumOf(counters: string): Promise<number> {
  await database.asCallerSql(asAda(), (client) => client.query('SELECT pg_stat_force_next_flush()'))
  const { rows } = await at.admin.query<{ sum: number }>(
    `SELECT sum(${counters})::int AS sum FROM pg_stat_user_tables
      WHERE relname IN ('runs', 'benchmarks', 'benchmark_results')`,
  )
  return rows[0]?.sum ?? NaN
}

test('no plan from when tables were small takes more than a few steps for each row', async () => {
  const before = await stepsDone()
  expect(await askEverything(large)).toHaveLength(count)
  const steps = (await stepsDone()) - before
  // Four questions, each about a row of two tables.
  expect(steps).toBeLessThan(4 * 2 * count)
})

test('to store one result, no other benchmark of the project is read', async () => {
  const before = await rowsRead()
  await submit(1)
  expect((await rowsRead()) - before).toBeLessThan(count / 2)
})

test('to find one benchmark, no other benchmark of the project is read', async () => {
  const [benchmark] = await stores.benchmarks.listByUri(asAda(), projectId, 'bench 0')
  const before = await rowsRead()
  expect(await stores.benchmarks.find(asAda(), benchmark?.id ?? '')).toMatchObject({ uri: 'bench 0' })
  expect((await rowsRead()) - before).toBeLessThan(count / 2)
})
