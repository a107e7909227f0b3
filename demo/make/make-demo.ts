// Makes demo/data from the programs in this folder. See README.md here.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { othersMs, waitForCalm } from './calm.ts'
import { checkoutService } from './checkout-service.ts'
import type { DemoProject, MeasuredFile, ProfileFile } from './demo-project.ts'
import { checkOut, rebuildHistory } from './git-history.ts'
import type { Commit } from './git-history.ts'
import { logRouter } from './log-router.ts'

/** Where the programs really run, because profiles and results name this path. */
const NEUTRAL_FOLDER = '/app'
const PASSES_MAX = 3
/** A measurement is calm when others took less than this share of one processor. */
const CALM_SHARE = 0.03

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
  const isCalm = ({ disturbedShare }: Measurement) => disturbedShare < CALM_SHARE
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const restless = commits.filter(
      ({ dir }) => !measurements.some((measurement) => measurement.dir === dir && isCalm(measurement)),
    )
    for (const commit of restless) {
      const output = join(scratch, String(pass), commit.dir)
      measurements.push(await measureOnce(project, commit, folder, output))
    }
  }
  writeProject(project, commits, folder, measurements)
}

/** One revision, measured once. */
interface Measurement {
  dir: string
  output: string
  /** The share of one processor that others took meanwhile. */
  disturbedShare: number
  files: MeasuredFile[]
}

async function measureOnce(
  project: DemoProject,
  commit: Commit,
  folder: string,
  output: string,
): Promise<Measurement> {
  mkdirSync(output, { recursive: true })
  checkOut(folder, commit)
  project.build(folder)
  await waitForCalm()
  const startedAt = performance.now()
  const before = othersMs()
  const files = project.measure(folder, output)
  const disturbedShare = (othersMs() - before) / (performance.now() - startedAt)
  console.log(`${commit.dir}: others took ${(100 * disturbedShare).toFixed(1)} % of a processor`)
  return { dir: commit.dir, output, disturbedShare, files }
}

/** The measurement that was disturbed least. */
function calmest(measurements: Measurement[], commit: Commit): Measurement {
  const [first] = measurements
    .filter(({ dir }) => dir === commit.dir)
    .toSorted((a, b) => a.disturbedShare - b.disturbedShare)
  if (!first) throw new Error(`${commit.dir} was not measured`)
  return first
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
    const measured = calmest(measurements, commit)
    for (const { file } of measured.files) copyFileSync(join(measured.output, file), join(output, file))
    checkOut(folder, commit)
    project.build(folder)
    const run = describeRun(commit, environment, measured.files, project.profile(folder, output))
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
