// Makes demo/data from the programs in this folder. See README.md here.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { othersMs, waitForCalm } from './calm.ts'
import { checkoutService } from './checkout-service.ts'
import type { DemoProject, MeasuredFile, ProfileFile } from './demo-project.ts'
import { checkOut, rebuildHistory } from './git-history.ts'
import type { Commit } from './git-history.ts'
import { logRouter } from './log-router.ts'

/** Where the programs really run, because profiles and results name this path. */
const NEUTRAL_FOLDER = '/app'
/** While others take up to this share of one processor, a measurement counts as undisturbed. */
const CALM_SHARE = 0.05

const here = import.meta.dirname
const dataFolder = join(here, '../data')
const asked = process.argv.slice(2)
const projects = [checkoutService, logRouter].filter(({ slug }) => asked.length === 0 || asked.includes(slug))

for (const project of projects) {
  const folder = join(NEUTRAL_FOLDER, project.slug)
  const commits = rebuildHistory(join(here, project.slug, 'commits'), folder)
  project.prepare(folder)
  const scratch = join(NEUTRAL_FOLDER, 'results', project.slug)
  rmSync(scratch, { recursive: true, force: true })
  const measurements: Measurement[] = []
  for (let visit = 0; visit < project.visits; visit += 1) {
    for (const commit of commits) {
      const output = join(scratch, String(visit), commit.dir)
      measurements.push(...(await measureRevision(project, commit, folder, output)))
    }
  }
  writeProject(project, commits, folder, measurements)
}

/** One revision, measured once. */
interface Measurement {
  dir: string
  output: string
  durationMs: number
  /** The share of one processor that others took meanwhile. */
  disturbedShare: number
}

async function measureRevision(
  project: DemoProject,
  commit: Commit,
  folder: string,
  visitOutput: string,
): Promise<Measurement[]> {
  checkOut(folder, commit)
  project.build(folder)
  const measurements: Measurement[] = []
  for (let at = 0; at < project.measurementsPerVisit; at += 1) {
    const output = join(visitOutput, String(at))
    mkdirSync(output, { recursive: true })
    await waitForCalm()
    const startedAt = performance.now()
    const before = othersMs()
    project.measure(folder, output)
    const durationMs = performance.now() - startedAt
    const disturbedShare = (othersMs() - before) / durationMs
    measurements.push({ dir: commit.dir, output, durationMs, disturbedShare })
    console.log(`${commit.dir}: others took ${(100 * disturbedShare).toFixed(1)} % of a processor`)
  }
  return measurements
}

/**
 * The folders of the measurements of a revision: the undisturbed ones, fastest first, because what cannot be seen from
 * here (a hot processor, a neighbour on the host) only slows down; then the others, least disturbed first.
 */
function calmestFirst(measurements: Measurement[], { dir }: Commit): string[] {
  const own = measurements.filter((measurement) => measurement.dir === dir)
  const [calm, disturbed] = [
    own.filter(({ disturbedShare }) => disturbedShare <= CALM_SHARE),
    own.filter(({ disturbedShare }) => disturbedShare > CALM_SHARE),
  ]
  return [
    ...calm.toSorted((a, b) => a.durationMs - b.durationMs),
    ...disturbed.toSorted((a, b) => a.disturbedShare - b.disturbedShare),
  ].map(({ output }) => output)
}

function writeProject(
  project: DemoProject,
  commits: Commit[],
  folder: string,
  measurements: Measurement[],
): void {
  const projectFolder = join(dataFolder, project.slug)
  rmSync(projectFolder, { recursive: true, force: true })
  const environment = project.environment()
  const runs = commits.map((commit) => {
    const output = join(projectFolder, commit.dir)
    mkdirSync(output, { recursive: true })
    const results = project.collect(calmestFirst(measurements, commit), output)
    checkOut(folder, commit)
    project.build(folder)
    const run = describeRun(commit, environment, results, project.profile(folder, output))
    writeFileSync(join(output, 'run.json'), `${JSON.stringify(run, null, 2)}\n`)
    return run
  })
  const { slug, name, description, repository } = project
  replaceInManifest({ slug, name, description, repository, runs })
}

interface ManifestProject {
  slug: string
  name: string
  description: string
  repository: string
  runs: object[]
}

/** The manifest names every file of demo/data; a project that was not made anew stays as it is. */
function replaceInManifest(project: ManifestProject): void {
  const file = join(dataFolder, 'manifest.json')
  const manifest: { projects: ManifestProject[] } = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { projects: [] }
  const others = manifest.projects.filter(({ slug }) => slug !== project.slug)
  const all = [...others, project].toSorted((a, b) => a.slug.localeCompare(b.slug))
  writeFileSync(file, `${JSON.stringify({ projects: all }, null, 2)}\n`)
}

function describeRun(
  commit: Commit,
  environment: Record<string, string>,
  results: MeasuredFile[],
  profiles: ProfileFile[],
): object {
  return {
    dir: commit.dir,
    branch: commit.branch,
    commit_hash: commit.hash,
    commit_message: commit.message,
    committed_at: commit.committedAt,
    ...(commit.pullRequest !== undefined && { pull_request: commit.pullRequest }),
    event: commit.pullRequest === undefined ? 'push' : 'pull_request',
    environment,
    results,
    profiles,
  }
}
