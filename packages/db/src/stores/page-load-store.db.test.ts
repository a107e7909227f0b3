import { newId } from '@flamegate/contract'
import { NotPermitted, pageLoadsMax, type StoredPageLoad } from '@flamegate/operations/ports'
import { beforeEach, expect, test } from 'vitest'
import { prepareProject } from '../testing.ts'

const { at, ada, projectId, asAda, asBob } = prepareProject({ roleOfAda: 'member' })
let runId: string

beforeEach(async () => {
  runId = newId('benchResult')
  await at.admin.query(
    `INSERT INTO bench_results (workspace_id, id, project_id, name, task_id, created_by)
      VALUES ($1, $2, $3, 'Checkout', $2, $4)`,
    [ada.workspaceId, runId, projectId, ada.userId],
  )
  await at.stores.series.begin(asAda(), runId, { secondsMax: 7200, containers: [] })
})

const load = (sequence: number, rest: Partial<StoredPageLoad> = {}) => ({
  sequence,
  second: sequence,
  profile: 0,
  action: 0,
  page: '/products/{…}',
  ttfb: 120.5,
  fcp: 300,
  lcp: 400,
  cls: 0.02,
  inp: null,
  ...rest,
})

function add(agent: number, loads: ReturnType<typeof load>[], caller = asAda()): Promise<void> {
  const shard = { workspaceId: ada.workspaceId, benchResultId: runId, slot: agent }
  return at.stores.pageLoads.add(caller, shard, loads)
}

const list = (rest: object = {}, caller = asAda()) =>
  at.stores.pageLoads.list(caller, runId, { from: 0, to: 1_000_000, ...rest })

test('page loads are kept as they were measured, each once however often an agent tells it', async () => {
  await add(0, [load(0), load(1)])
  await add(0, [load(1), load(2)])
  await add(1, [load(0)])
  const kept = await list()
  expect(kept.map(({ second }) => second)).toEqual([0, 0, 1, 2])
  const { sequence: _, ...expected } = load(0)
  expect(kept[0]).toEqual(expected)
})

const seconds = async (rest: object) => (await list(rest)).map(({ second }) => second)

test('seconds, profiles and actions are asked for', async () => {
  await add(0, [load(0), load(1, { profile: 1, action: 3 }), load(2, { action: 4 }), load(3)])
  expect(await seconds({ from: 1, to: 3 })).toEqual([1, 2])
  expect(await seconds({ profiles: [1] })).toEqual([1])
  expect(await seconds({ actions: [3, 4] })).toEqual([1, 2])
})

test('of a run so many are kept, and no more', async () => {
  await at.admin.query(
    `INSERT INTO bench_page_loads (workspace_id, bench_result_id, agent, sequence, second, profile, action, page)
      SELECT $1, $2, 9, n, 0, 0, 0, '/' FROM generate_series(1, $3::int) AS n`,
    [ada.workspaceId, runId, pageLoadsMax],
  )
  await add(0, [load(0)])
  expect(await list()).toHaveLength(pageLoadsMax)
})

test('of another workspace nothing is told, and nothing is added there', async () => {
  await add(0, [load(0)])
  expect(await list({}, asBob())).toEqual([])
  await expect(add(1, [load(1)], asBob())).rejects.toThrow(NotPermitted)
  expect(await list()).toHaveLength(1)
})

test('they go with the series of the run, and none come after that', async () => {
  await add(0, [load(0)])
  await at.stores.series.remove(asAda(), runId)
  await add(0, [load(1)])
  const { rows } = await at.admin.query('SELECT 1 FROM bench_page_loads WHERE bench_result_id = $1', [runId])
  expect(rows).toEqual([])
})
