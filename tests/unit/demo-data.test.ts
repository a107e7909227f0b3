import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { compareBenchmarks, readBenchmarkResults } from '@flamegate/benchmarks'
import type { AdapterName, BenchmarkRun, Comparison } from '@flamegate/benchmarks'
import { readProfile, topFunctions } from '@flamegate/profiles'
import { describe, expect, test } from 'vitest'

// The demo workspace shows these files on first start; what it promises to show must be in them.
const dataFolder = join(import.meta.dirname, '../../demo/data')
const foreignPath = /\/(home|root|tmp|Users|usr\/(?:lib|local)|work)\//

interface DemoRun {
  dir: string
  branch: string
  commit_hash: string
  commit_message: string
  committed_at: string
  pull_request?: number
  event: 'push' | 'pull_request'
  environment: Record<string, string>
  results: { file: string; adapter: AdapterName }[]
  profiles: { file: string; type: 'cpu' | 'heap'; benchmark_uri: string }[]
}

interface DemoProject {
  slug: string
  name: string
  description: string
  repository: string
  runs: DemoRun[]
}

const manifest: { projects: DemoProject[] } = JSON.parse(
  readFileSync(join(dataFolder, 'manifest.json'), 'utf8'),
)
const everyRun = manifest.projects.flatMap((project) =>
  project.runs.map((run) => ({ project, run, title: `${project.slug}/${run.dir}` })),
)

test('there are two projects with runs on main and on a branch of a pull request', () => {
  const branches = manifest.projects.map(({ slug, runs }) => [
    slug,
    runs.filter(({ event }) => event === 'push').map(({ branch }) => branch),
    runs.filter(({ pull_request }) => pull_request !== undefined).map(({ branch }) => branch),
  ])
  expect(branches).toEqual([
    [
      'checkout-service',
      Array.from({ length: 5 }, () => 'main'),
      Array.from({ length: 3 }, () => 'feat/loyalty-discounts'),
    ],
    [
      'log-router',
      Array.from({ length: 4 }, () => 'main'),
      Array.from({ length: 2 }, () => 'perf/ring-buffer'),
    ],
  ])
})

test('everything in the folder is small, named by the manifest, and tells no path of the machine it was made on', () => {
  const files = readdirSync(dataFolder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
  const named = everyRun.flatMap(({ project, run }) =>
    ['run.json', ...[...run.results, ...run.profiles].map(({ file }) => file)].map((file) =>
      join(dataFolder, project.slug, run.dir, file),
    ),
  )
  expect(new Set(files)).toEqual(new Set([join(dataFolder, 'manifest.json'), ...named]))
  expect(files.reduce((sum, file) => sum + statSync(file).size, 0)).toBeLessThan(3_000_000)
  expect(files.filter((file) => foreignPath.test(readText(file)))).toEqual([])
})

test('the load test has its results beside it, small and without a path of the machine they were made on', () => {
  const folder = join(dataFolder, '../load-test')
  const { results }: { results: { file: string }[] } = JSON.parse(
    readFileSync(join(folder, 'load-test.json'), 'utf8'),
  )
  const named = results.map(({ file }) => file)
  expect(readdirSync(folder).toSorted()).toEqual(['load-test.json', ...named].toSorted())
  expect(named.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)).toBeLessThan(200_000)
  expect(named.filter((file) => foreignPath.test(readText(join(folder, file))))).toEqual([])
})

describe.each(everyRun)('$title', ({ project, run }) => {
  test('says what was measured, where and when, the same in run.json as in the manifest', () => {
    expect(run.dir).toContain(`${run.branch.replaceAll('/', '-')}-${run.commit_hash.slice(0, 7)}`)
    expect(run.commit_hash).toMatch(/^[0-9a-f]{40}$/)
    expect(new Date(run.committed_at).getTime()).toBeGreaterThan(0)
    expect(Object.keys(run.environment)).toEqual(expect.arrayContaining(['cpu', 'os', 'arch', 'runtime']))
    expect(JSON.parse(readFileSync(join(dataFolder, project.slug, run.dir, 'run.json'), 'utf8'))).toEqual(run)
  })

  test('its results are read without a warning, by the adapter that magic takes too', () => {
    for (const { file, adapter } of run.results) {
      const bytes = readFileSync(join(dataFolder, project.slug, run.dir, file))
      const report = readBenchmarkResults(bytes)
      expect(report.adapters).toEqual([adapter])
      expect(report.warnings).toEqual([])
      expect(report.results.length).toBeGreaterThan(0)
    }
  })

  test('its profiles are read, and belong to benchmarks of the run', () => {
    const uris = benchmarkRun(project, run).results.map(({ uri }) => uri)
    for (const { file, benchmark_uri } of run.profiles) {
      const profile = readProfile(readFileSync(join(dataFolder, project.slug, run.dir, file)))
      expect(topFunctions(profile, { by: 'self', limit: 5 })).not.toEqual([])
      expect(uris).toContain(benchmark_uri)
    }
    expect(run.profiles.map(({ type }) => type).toSorted()).toEqual(['cpu', 'heap'])
  })
})

describe('checkout-service: the regression that its pull request brings', () => {
  const project = projectOf('checkout-service')

  test('is the only one against the last run of main', () => {
    const { benchmarks } = compareWithMain(project)
    const verdicts = Object.fromEntries(benchmarks.map(({ name, verdict }) => [name, verdict]))
    expect(verdicts).toEqual({
      'parse catalogue': 'unchanged',
      'search catalogue': 'unchanged',
      'price carts': 'unchanged',
      'apply discounts': 'regressed',
      'serialise receipts': 'unchanged',
    })
    const regression = benchmarks.find(({ name }) => name === 'apply discounts')
    expect(regression?.changePercent).toBeGreaterThan(40)
    expect(regression?.changePercent).toBeLessThan(150)
  })

  test('came with the second commit of the branch', () => {
    const [before, after] = project.runs.filter(({ branch }) => branch !== 'main')
    if (!before || !after) throw new Error('The branch should have three runs')
    expect(after.commit_message).toMatch(/whole department/)
    const { benchmarks } = compare(project, before, after)
    expect(benchmarks.find(({ name }) => name === 'apply discounts')?.verdict).toBe('regressed')
  })

  test('shows by name in the CPU profile of the branch, and not on main', () => {
    const main = sharesOf(project, lastRun(project, 'main'))
    const branch = sharesOf(project, lastRun(project, 'feat/loyalty-discounts'))
    expect(main.get('matchesDepartment')).toBeUndefined()
    expect(branch.get('matchesDepartment')?.selfPercent).toBeGreaterThan(10)
    expect(branch.get('matchesDepartment')?.rank).toBeLessThan(5)
    expect(branch.get('findMatchingRules')?.totalPercent).toBeGreaterThan(20)
    expect(main.get('findMatchingRules')?.totalPercent ?? 0).toBeLessThan(8)
  })
})

describe('log-router: the improvement that its pull request brings', () => {
  const project = projectOf('log-router')

  test('is found in the buffer, and nothing is slower', () => {
    const { benchmarks, counts } = compareWithMain(project)
    const improved = benchmarks.filter(({ verdict }) => verdict === 'improved').map(({ name }) => name)
    expect(improved).toEqual(
      expect.arrayContaining(['BenchmarkBuffer/capacity=256', 'BenchmarkBuffer/capacity=1024']),
    )
    expect(counts.regressed).toBe(0)
  })

  test('takes moving memory out of the CPU profile', () => {
    const main = sharesOf(project, lastRun(project, 'main'))
    const branch = sharesOf(project, lastRun(project, 'perf/ring-buffer'))
    expect(main.get('runtime.memmove')?.selfPercent).toBeGreaterThan(50)
    expect(branch.get('runtime.memmove')?.selfPercent ?? 0).toBeLessThan(5)
  })
})

function readText(file: string): string {
  const bytes = readFileSync(file)
  return (file.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8')
}

function projectOf(slug: string): DemoProject {
  const project = manifest.projects.find((own) => own.slug === slug)
  if (!project) throw new Error(`No project ${slug} in the manifest`)
  return project
}

function lastRun({ runs }: DemoProject, branch: string): DemoRun {
  const run = runs.findLast((own) => own.branch === branch)
  if (!run) throw new Error(`No run of ${branch} in the manifest`)
  return run
}

function benchmarkRun({ slug }: DemoProject, { dir, environment, results }: DemoRun): BenchmarkRun {
  const reports = results.map(({ file, adapter }) =>
    readBenchmarkResults(readFileSync(join(dataFolder, slug, dir, file)), { adapter }),
  )
  return { environment, results: reports.flatMap((report) => report.results) }
}

function compare(project: DemoProject, base: DemoRun, head: DemoRun): Comparison {
  return compareBenchmarks(benchmarkRun(project, base), benchmarkRun(project, head))
}

function compareWithMain(project: DemoProject): Comparison {
  const head = project.runs.at(-1)
  if (!head) throw new Error(`${project.slug} has no runs`)
  return compare(project, lastRun(project, 'main'), head)
}

/** The share of each function in the CPU profile of a run; rank 1 has most self time. */
function sharesOf({ slug }: DemoProject, { dir, profiles }: DemoRun) {
  const cpu = profiles.find(({ type }) => type === 'cpu')
  if (!cpu) throw new Error(`${dir} has no CPU profile`)
  const rows = topFunctions(readProfile(readFileSync(join(dataFolder, slug, dir, cpu.file))), {
    by: 'self',
    limit: 500,
  })
  return new Map(rows.map((row, index) => [row.functionName, { ...row, rank: index + 1 }]))
}
