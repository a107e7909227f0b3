// Makes demo/data from the programs in this folder. See README.md here.
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkoutService } from './checkout-service.ts'
import type { DemoProject, MeasuredFile, ProfileFile } from './demo-project.ts'
import { checkOut, rebuildHistory } from './git-history.ts'
import type { Commit } from './git-history.ts'
import { logRouter } from './log-router.ts'

/** Where the programs really run, because profiles and results name this path. */
const NEUTRAL_FOLDER = '/app'
const PASSES = 3

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
  const passes = Array.from({ length: PASSES }, (_, index) =>
    measureAll(project, commits, folder, join(scratch, String(index))),
  )
  // Other work on the machine can only make a pass slower, so the fastest one was disturbed least. It is taken whole:
  // the revisions that will be compared were measured within the same minutes.
  const [calmest] = passes.toSorted((a, b) => a.durationMs - b.durationMs)
  if (!calmest) throw new Error('At least one pass is needed')
  console.log(
    `${project.slug}: passes took ${passes.map(({ durationMs }) => Math.round(durationMs / 1000)).join(', ')} s`,
  )
  writeProject(project, commits, folder, calmest)
}

interface Pass {
  scratch: string
  durationMs: number
  files: Map<string, MeasuredFile[]>
}

function measureAll(project: DemoProject, commits: Commit[], folder: string, scratch: string): Pass {
  const startedAt = performance.now()
  const files = new Map<string, MeasuredFile[]>()
  for (const commit of commits) {
    const output = join(scratch, commit.dir)
    mkdirSync(output, { recursive: true })
    checkOut(folder, commit)
    project.build(folder)
    files.set(commit.dir, project.measure(folder, output))
  }
  return { scratch, durationMs: performance.now() - startedAt, files }
}

function writeProject(project: DemoProject, commits: Commit[], folder: string, pass: Pass): void {
  const projectFolder = join(dataFolder, project.slug)
  rmSync(projectFolder, { recursive: true, force: true })
  const environment = project.environment()
  const runs = commits.map((commit) => {
    const output = join(projectFolder, commit.dir)
    mkdirSync(output, { recursive: true })
    const results = pass.files.get(commit.dir) ?? []
    for (const { file } of results) copyFileSync(join(pass.scratch, commit.dir, file), join(output, file))
    checkOut(folder, commit)
    project.build(folder)
    const run = describeRun(commit, environment, results, project.profile(folder, output))
    writeFileSync(join(output, 'run.json'), `${JSON.stringify(run, null, 2)}\n`)
    return run
  })
  const { slug, name, description, repository } = project
  replaceInManifest({ slug, name, description, repository, runs })
}

/** The manifest names every file of demo/data; a project that was not made anew stays as it is. */
function replaceInManifest(project: { slug: string }): void {
  const file = join(dataFolder, 'manifest.json')
  const manifest: { projects: { slug: string }[] } = existsSync(file)
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
