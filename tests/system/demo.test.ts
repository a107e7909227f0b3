import { operations } from '@flamegate/contract'
import { expect, test } from 'vitest'
import { logIn, platform, type Person } from './person.ts'

/** What the demo is for: a genuine regression, found by the tools and explained by the profiles of both sides. */

async function demoPerson(): Promise<Person> {
  const { email, password } = platform().demo
  return logIn(email, password)
}

test('the demo has two projects, a dozen runs over two branches each, and profiles that were read', async () => {
  const { client, workspaceId } = await demoPerson()
  const { projects } = await client.call(operations.listProjects, { workspace_id: workspaceId })
  expect(projects).toHaveLength(2)
  expect(projects.reduce((sum, project) => sum + project.run_count, 0)).toBe(14)
  for (const project of projects) {
    const { runs } = await client.call(operations.listRuns, { repository: project.id, limit: 100 })
    expect(new Set(runs.map((run) => run.branch)).size).toBe(2)
    expect(runs.map((run) => run.status)).toEqual(runs.map(() => 'COMPLETED'))
    const { profiles } = await client.call(operations.listProfiles, { project_id: project.id, limit: 100 })
    expect(profiles.length).toBeGreaterThan(2)
    expect(profiles.map((profile) => profile.status)).toEqual(profiles.map(() => 'READY'))
  }
})

test('compare_runs names the planted regression, and query_flamegraph shows its function on the slow side', async () => {
  const { client } = await demoPerson()
  const comparison = await client.call(operations.compareRuns, {
    repository: 'flamegate-demo/checkout-service',
    head_run_id: 'latest',
  })
  expect(comparison.base.branch).toBe('main')
  expect(comparison.head.branch).toBe('feat/loyalty-discounts')
  const regressed = comparison.benchmarks.filter((benchmark) => benchmark.verdict === 'regressed')
  expect(regressed).toHaveLength(1)
  const [slow] = regressed
  expect(slow?.change_percent).toBeGreaterThan(20)
  expect(comparison.report).toContain('## Regressions')
  expect(slow).toMatchObject({ has_base_profile: true, has_head_profile: true })

  const shares = await Promise.all(
    [comparison.base.id, comparison.head.id].map(async (runId) => {
      const graph = await client.call(operations.queryFlamegraph, {
        run_id: runId,
        benchmark: slow?.uri ?? '',
      })
      const spot = [...graph.hot_spots, ...graph.expensive_calls].find((each) =>
        each.function_name.includes('findMatchingRules'),
      )
      return { report: graph.report, percent: spot?.total_percent ?? 0 }
    }),
  )
  const [base, head] = shares
  expect(head?.report).toContain('findMatchingRules')
  expect(head?.percent).toBeGreaterThan((base?.percent ?? 0) + 10)
})

test('the demo has a load test that can run, and what it measured before and after the regression', async () => {
  const { client, workspaceId } = await demoPerson()
  const { projects } = await client.call(operations.listProjects, { workspace_id: workspaceId })
  const project_id = projects.find(({ name }) => name === 'Checkout service')?.id ?? ''
  const { scenarios } = await client.call(operations.listScenarios, { project_id })
  const { checks } = await client.call(operations.preflightScenario, { scenario_id: scenarios[0]?.id ?? '' })
  // Its agent is beside the platform, and may still be coming.
  expect(checks.filter(({ check, grade }) => grade === 'error' && check !== 'generators')).toEqual([])

  const { bench_results } = await client.call(operations.listBenchResults, { project_id })
  const p95 = new Map<string, number>()
  for (const { id, name, state } of bench_results) {
    expect(state).toBe('FINISHED')
    const { total, rows } = await client.call(operations.getBenchTable, { bench_result_id: id })
    expect(total).toMatchObject({ failed: 0 })
    p95.set(name, rows.find((row) => row.name === 'order / POST /checkout')?.p95_ms ?? 0)
  }
  const [before = 0, after = 0] = ['Orders on main', 'Orders on feat/loyalty-discounts'].map((name) =>
    p95.get(name),
  )
  expect(before).toBeGreaterThan(0)
  expect(after).toBeGreaterThan(1.3 * before)

  const { bench_reports } = await client.call(operations.listBenchReports, { project_id })
  expect(bench_reports.map(({ name }) => name).toSorted()).toEqual(
    ['Before and after the loyalty discounts', ...p95.keys()].toSorted(),
  )
})

test('the demo workspace has an agent of load, beside the platform', async () => {
  const { client, workspaceId } = await demoPerson()
  await expect
    .poll(async () => {
      const { load_generators } = await client.call(operations.listLoadGenerators, {
        workspace_id: workspaceId,
      })
      return load_generators.map(({ name, agent_group, is_online }) => [name, agent_group, is_online])
    })
    .toEqual([['beside-the-platform', 'default', true]])
})
