import { createHash } from 'node:crypto'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Harness } from './harness.ts'

const root = join(import.meta.dirname, '../../..')
const cli = join(root, 'apps/cli/src/main.ts')

/** Of each side; what `flamegate run` takes by itself. */
export const processes = 10

/** Per cent of the base's work, in a folder and a build of its own. */
const variants = { base: 100, same: 100, slower: 110 } as const

export type Head = Exclude<keyof typeof variants, 'base'>

/** What `flamegate run --check` said of one measurement. */
export interface Verdict {
  isAlarm: boolean
  /** Of the largest change that it complains of; undefined where it complains of none. */
  changePercent: number | undefined
}

/** A project with one benchmark that is measured through the command line, as a CI job does it. */
export interface MeasuredProject {
  /** Measures one variant in turns with the base, as a pull request of its own. */
  measure(head: Head, tryNumber: number): Promise<Verdict>
}

/** Writes the variants of a harness's project into a new folder and builds them. */
export async function buildProject(
  harness: Harness,
  folder: string,
  access: { url: string; token: string; projectId: string },
): Promise<MeasuredProject> {
  for (const [name, work] of Object.entries(variants)) await buildVariant(harness, join(folder, name), work)

  return {
    async measure(head, tryNumber) {
      const cwd = join(folder, head)
      const checked = join(folder, 'check.json')
      await rm(checked, { force: true })
      const branch = `${head}-${tryNumber}`
      const args = ['run', '--check', '--format', 'json', '--output', checked, '--branch', branch]
      args.push('--base-dir', '../base', '--repeat', String(processes))
      args.push('--commit', hashOf(branch), '--base-commit', hashOf(`base ${tryNumber}`))
      const child = spawn(process.execPath, [cli, ...args, '--', ...harness.command], {
        cwd,
        env: {
          ...process.env,
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

async function buildVariant(harness: Harness, folder: string, work: number): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const [name, content] of Object.entries(harness.files(work))) {
    await writeFile(join(folder, name), content)
  }
  // Where Vitest is.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  if (harness.build === undefined) return
  const [program, ...args] = harness.build
  const { status, stderr } = spawnSync(program, args, { cwd: folder, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${harness.name} cannot be built:\n${stderr}`)
}

function hashOf(name: string): string {
  return createHash('sha1').update(name).digest('hex')
}
