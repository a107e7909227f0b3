import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Answer, Figures } from './subjects/figures.ts'

/** Runs a program that tells its own figures, as the last line of its output. */
export async function runSubject(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Figures> {
  return JSON.parse(await lastLine(command, args, env))
}

/** The last line of what a program prints. */
export async function lastLine(
  command: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<string> {
  const { output } = await run(command, args, env)
  return output.trimEnd().split('\n').at(-1) ?? ''
}

/**
 * Runs a tool that tells nothing of itself. Its start is in the time, as for everybody who uses it; processor time and
 * memory are what /proc said last, some milliseconds before the end.
 */
export async function runTool(
  command: string,
  args: readonly string[],
  options: { env?: Record<string, string>; answerOf: (output: string) => Answer },
): Promise<Figures> {
  const { output, ...figures } = await run(command, args, options.env ?? {})
  return { ...figures, answer: options.answerOf(output) }
}

const everyMs = 10
const ticksPerSecond = 100

async function run(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
): Promise<{ output: string; wallMs: number; cpuMs: number; peakMb: number }> {
  const startedAt = performance.now()
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const chunks: Buffer[] = []
  const errors: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  let cpuMs = NaN
  let peakMb = NaN
  const look = setInterval(() => {
    try {
      const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8')
      // Fields 14 and 15 of proc(5); the second, a name, ends with the last bracket.
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
        .map(Number)
      const peakKb = Number(/VmHWM:\s*(\d+)/.exec(status)?.[1])
      // One that has ended and was not waited for has no memory.
      if (!Number.isFinite(peakKb)) return
      cpuMs = (1000 * ((user ?? NaN) + (system ?? NaN))) / ticksPerSecond
      peakMb = peakKb / 1024
    } catch {
      // No /proc here, or the process has just ended.
    }
  }, everyMs)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', resolve)
  }).finally(() => clearInterval(look))
  const wallMs = performance.now() - startedAt
  if (code !== 0)
    throw new Error(`${command} ${args.join(' ')}: ${code}\n${Buffer.concat(errors).toString()}`)
  return { output: Buffer.concat(chunks).toString(), wallMs, cpuMs, peakMb }
}
