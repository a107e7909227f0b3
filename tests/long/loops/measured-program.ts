import { execFile, spawnSync } from 'node:child_process'
import { copyFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'

const run = promisify(execFile)
const programs = join(import.meta.dirname, 'programs')

/** `planted`: one step takes most of the time; `even`: none does. */
export type Work = 'planted' | 'even'

/** A program of several steps, some of which it can do in a quicker way when it is told their functions. */
export interface MeasuredProgram {
  language: string
  version: string
  /** Functions, as profiles name them, that have a quicker form. */
  offers: readonly string[]
  /** How long its work takes, in milliseconds of wall-clock time. */
  measure(work: Work, quick: readonly string[]): Promise<number>
  /** Writes a CPU profile of its work. Gives the path. */
  profile(work: Work, quick: readonly string[], name: string): Promise<string>
}

const printed = z.object({ ms: z.number() })
const offered = z.array(z.string())

async function output(command: string, ...args: string[]): Promise<string> {
  return (await run(command, args)).stdout
}

export async function nodeProgram(folder: string): Promise<MeasuredProgram> {
  const program = join(folder, 'orders.mjs')
  await copyFile(join(programs, 'orders.mjs'), program)
  return {
    language: 'Node.js',
    version: process.version,
    offers: offered.parse(JSON.parse(await output(process.execPath, program, '--offers'))),
    measure: async (work, quick) =>
      printed.parse(
        JSON.parse(await output(process.execPath, program, '--work', work, '--quick', quick.join())),
      ).ms,
    async profile(work, quick, name) {
      const file = `${name}.cpuprofile`
      const flags = ['--cpu-prof', '--cpu-prof-dir', folder, '--cpu-prof-name', file]
      await output(process.execPath, ...flags, program, '--work', work, '--quick', quick.join())
      return join(folder, file)
    },
  }
}

/** Undefined where Go is not installed. */
export function goVersion(): string | undefined {
  const { status, stdout } = spawnSync('go', ['version'], { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : undefined
}

/** Builds `<name>.go` of the programs. Gives the path of what can be run. */
export async function buildGo(folder: string, name: string): Promise<string> {
  const program = join(folder, name)
  await run('go', ['build', '-o', program, join(programs, `${name}.go`)], { cwd: folder })
  return program
}

export async function goProgram(folder: string, version: string): Promise<MeasuredProgram> {
  const program = await buildGo(folder, 'orders')
  return {
    language: 'Go',
    version,
    offers: offered.parse(JSON.parse(await output(program, '-offers'))),
    measure: async (work, quick) =>
      printed.parse(JSON.parse(await output(program, '-work', work, '-quick', quick.join()))).ms,
    async profile(work, quick, name) {
      const path = join(folder, `${name}.pb.gz`)
      await output(program, '-work', work, '-quick', quick.join(), '-profile', path)
      return path
    },
  }
}
