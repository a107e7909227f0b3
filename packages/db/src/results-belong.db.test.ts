import { newId } from '@flamegate/contract'
import type { NewResult, Run } from '@flamegate/operations/ports'
import { Client, type Pool } from 'pg'
import { describe, expect, test } from 'vitest'
import { plainProject, plainRun, preparePeople, waitUntilBlocked } from './testing.ts'

// What foreign keys would promise of results, and triggers do: whoever writes, with or without row-level security.

const { at, ada, bob, asAda, asBob, createProject } = preparePeople()

async function connect(): Promise<Client> {
  const client = new Client(at.urls.adminUrl)
  await client.connect()
  return client
}

async function createRun(projectId: string): Promise<Run> {
  return at.stores.runs.create(asAda(), {
    ...plainRun,
    id: newId('run'),
    workspaceId: ada.workspaceId,
    projectId,
    commitHash: 'c0ffee',
    commitMessage: 'Brew',
  })
}

const results = (...uris: string[]): NewResult[] =>
  uris.map((uri) => ({
    uri,
    name: uri,
    instrument: 'walltime',
    metric: 'time',
    betterWhen: 'lower',
    value: 1,
    unit: 'ns',
    stats: {},
    metrics: [],
  }))

/** A project with a completed run of two benchmarks. */
async function createMeasured(): Promise<{ projectId: string; runId: string; benchmarkIds: string[] }> {
  const projectId = await createProject()
  const { id: runId } = await createRun(projectId)
  await complete(runId, 'a', 'b')
  const stored = await at.stores.runs.listResults(asAda(), runId)
  return { projectId, runId, benchmarkIds: stored.map(({ benchmarkId }) => benchmarkId) }
}

const complete = (runId: string, ...uris: string[]) =>
  at.stores.runs.complete(asAda(), runId, {
    adapter: 'custom',
    warnings: [],
    environment: {},
    results: results(...uris),
  })

const addResult = (runId: string, benchmarkId: string | undefined, client: Client | Pool = at.admin) =>
  client.query(
    `INSERT INTO benchmark_results (workspace_id, run_id, benchmark_id, value, unit, stats, metrics)
      VALUES ($1, $2, $3, 1, 'ns', '{}', '[]')`,
    [ada.workspaceId, runId, benchmarkId],
  )

async function countResults(where: string, id: string | undefined): Promise<number> {
  const { rows } = await at.admin.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM benchmark_results WHERE ${where} = $1`,
    [id],
  )
  return rows[0]?.count ?? NaN
}

const violation = { code: '23503' }

describe('a result is refused', () => {
  test('without its run', async () => {
    const { benchmarkIds } = await createMeasured()
    await expect(addResult('run_none', benchmarkIds[0])).rejects.toMatchObject(violation)
  })

  test('without its benchmark', async () => {
    const { runId } = await createMeasured()
    await expect(addResult(runId, 'ben_none')).rejects.toMatchObject(violation)
  })

  test('when run and benchmark are of different projects', async () => {
    const [one, other] = [await createMeasured(), await createMeasured()]
    await expect(addResult(one.runId, other.benchmarkIds[0])).rejects.toMatchObject(violation)
  })

  test('when it moves to a run or a benchmark that is not there', async () => {
    const { runId, benchmarkIds } = await createMeasured()
    const move = (column: string) =>
      at.admin.query(
        `UPDATE benchmark_results SET ${column} = 'none' WHERE run_id = $1 AND benchmark_id = $2`,
        [runId, benchmarkIds[0]],
      )
    await expect(move('run_id')).rejects.toMatchObject(violation)
    await expect(move('benchmark_id')).rejects.toMatchObject(violation)
    await expect(move('workspace_id')).rejects.toMatchObject(violation)
  })

  test('together with all others of its statement', async () => {
    const { runId, benchmarkIds } = await createMeasured()
    const { rowCount } = await at.admin.query('DELETE FROM benchmark_results WHERE run_id = $1', [runId])
    expect(rowCount).toBe(2)
    const added = at.admin.query(
      `INSERT INTO benchmark_results (workspace_id, run_id, benchmark_id, value, unit, stats, metrics)
        SELECT $1, $2, id, 1, 'ns', '{}', '[]' FROM unnest($3::text[]) AS id`,
      [ada.workspaceId, runId, [...benchmarkIds, 'ben_none']],
    )
    await expect(added).rejects.toMatchObject(violation)
    expect(await countResults('run_id', runId)).toBe(0)
  })
})

describe('results go', () => {
  test('with their run', async () => {
    const { runId, benchmarkIds } = await createMeasured()
    const { rowCount } = await at.database.asCallerSql(asAda(), (client) =>
      client.query('DELETE FROM runs WHERE id = $1', [runId]),
    )
    expect(rowCount).toBe(1)
    expect(await countResults('run_id', runId)).toBe(0)
    expect(await countResults('benchmark_id', benchmarkIds[0])).toBe(0)
  })

  test('with their benchmark, and only those', async () => {
    const { runId, benchmarkIds } = await createMeasured()
    await at.database.asCallerSql(asAda(), (client) =>
      client.query('DELETE FROM benchmarks WHERE id = $1', [benchmarkIds[0]]),
    )
    expect(await countResults('benchmark_id', benchmarkIds[0])).toBe(0)
    expect(await countResults('run_id', runId)).toBe(1)
  })

  test('with their project, for a caller who is limited to it as well', async () => {
    const { projectId, runId } = await createMeasured()
    const kept = await createMeasured()
    const caller = asAda()
    const limited = { ...caller, principal: { ...caller.principal, projectId } }
    await at.database.asCallerSql(limited, (client) =>
      client.query('DELETE FROM projects WHERE id = $1', [projectId]),
    )
    expect(await countResults('run_id', runId)).toBe(0)
    expect(await countResults('run_id', kept.runId)).toBe(2)
  })

  test('with their workspace', async () => {
    const { id: projectId } = await at.stores.projects.create(asBob(), {
      ...plainProject,
      id: newId('project'),
      workspaceId: bob.workspaceId,
      slug: 'project',
      name: 'Project',
    })
    const run = await createRun(await createProject())
    const own = await at.stores.runs.create(asBob(), {
      ...run,
      id: newId('run'),
      workspaceId: bob.workspaceId,
      projectId,
    })
    const outcome = { adapter: 'custom', warnings: [], environment: {}, results: results('a') }
    await at.stores.runs.complete(asBob(), own.id, outcome)
    expect(await countResults('run_id', own.id)).toBe(1)
    await at.admin.query('DELETE FROM workspaces WHERE id = $1', [bob.workspaceId])
    expect(await countResults('run_id', own.id)).toBe(0)
  })

  test('also those that an import stored while its benchmark was being removed', async () => {
    const { projectId, benchmarkIds } = await createMeasured()
    const run = await createRun(projectId)
    const importer = await connect()
    await importer.query('BEGIN')
    await addResult(run.id, benchmarkIds[0], importer)
    const removal = at.admin.query('DELETE FROM benchmarks WHERE id = $1', [benchmarkIds[0]])
    await waitUntilBlocked(importer)
    await importer.query('COMMIT')
    await removal
    await importer.end()
    expect(await countResults('benchmark_id', benchmarkIds[0])).toBe(0)
  })
})

test('an import is refused whose benchmark was removed in the meantime', async () => {
  const { projectId, benchmarkIds } = await createMeasured()
  const run = await createRun(projectId)
  const [remover, importer] = [await connect(), await connect()]
  await remover.query('BEGIN')
  await remover.query('DELETE FROM benchmarks WHERE id = $1', [benchmarkIds[0]])
  const added = addResult(run.id, benchmarkIds[0], importer).catch((error: unknown) => error)
  await waitUntilBlocked(remover)
  await remover.query('COMMIT')
  expect(await added).toMatchObject(violation)
  await Promise.all([remover.end(), importer.end()])
})

test.each(['runs', 'benchmarks'])('rows of %s keep their keys', async (table) => {
  await createMeasured()
  const change = at.admin.query(`UPDATE ${table} SET id = id || 'x' WHERE workspace_id = $1`, [
    ada.workspaceId,
  ])
  await expect(change).rejects.toMatchObject(violation)
})

test('the owner of the tables sees no more of them than before', async () => {
  await createMeasured()
  const owner = new Client(at.urls.ownerUrl)
  await owner.connect()
  const { rows } = await owner.query(
    `SELECT (SELECT count(*)::int FROM benchmark_results) AS results, (SELECT count(*)::int FROM runs) AS runs`,
  )
  await owner.end()
  expect(rows).toEqual([{ results: 0, runs: 0 }])
})
