import { createHash } from 'node:crypto'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Harness } from './harness.ts'

const root = join(import.meta.dirname, '../../..')
const cli = join(root, 'apps/cli/src/main.ts')

/** What `flamegate run --check` said of one measurement. */
export interface Verdict {
  isAlarm: boolean
  /** Of the largest change that it complains of; undefined where it complains of none. */
  changePercent: number | undefined
}

export interface Measurement {
  branch: string
  /** Made into a hash. */
  commit: string
  baseCommit?: string
  /** Percent of the base. */
  work: number
}

/** A project with one benchmark that is measured through the command line, as a CI job does it. */
export interface MeasuredProject {
  measure(measurement: Measurement): Promise<Verdict>
}

/** Writes the project of a harness into a new folder and builds it. */
export async function buildProject(
  harness: Harness,
  folder: string,
  access: { url: string; token: string; projectId: string },
): Promise<MeasuredProject> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(harness.files)) await writeFile(join(folder, name), content)
  // Where npx and Node.js look for Vitest.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  if (harness.build !== undefined) {
    const [program, ...args] = harness.build
    const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${harness.name} cannot be built:\n${stderr}`)
  }

  return {
    async measure({ branch, commit, baseCommit, work }) {
      const checked = join(folder, 'check.json')
      await rm(checked, { force: true })
      const args = ['run', '--check', '--format', 'json', '--output', checked, '--branch', branch]
      args.push('--commit', hashOf(commit), ...(baseCommit ? ['--base-commit', hashOf(baseCommit)] : []))
      const child = spawn(process.execPath, [cli, ...args, '--', ...harness.command], {
        cwd: folder,
        env: {
          ...process.env,
          WORK: String(work),
          FLAMEGATE_URL: access.url,
          FLAMEGATE_TOKEN: access.token,
          FLAMEGATE_PROJECT: access.projectId,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
      await once(child, 'close')
      if (child.exitCode !== 0 && child.exitCode !== 1) throw new Error(`${harness.name}:\n${said}`)
      const text = await readFile(checked, 'utf8').catch(() => {
        throw new Error(`${harness.name} was not judged:\n${said}`)
      })
      const answer: { passed: boolean; failures: { change_percent: number | null }[] } = JSON.parse(text)
      return { isAlarm: !answer.passed, changePercent: answer.failures[0]?.change_percent ?? undefined }
    },
  }
}

function hashOf(name: string): string {
  return createHash('sha1').update(name).digest('hex')
}
