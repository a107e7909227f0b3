import { spawnSync } from 'node:child_process'

/** A benchmark tool with one benchmark. */
export interface Harness {
  name: string
  /** Prints its version; a tool that cannot is not installed. */
  version: readonly [string, ...string[]]
  /** Files of the project that is measured, by their names; its work is so many per cent of the base. */
  files(work: number): Readonly<Record<string, string>>
  /** What is done once in that folder. */
  build?: readonly [string, ...string[]]
  /** What is measured there. */
  command: readonly [string, ...string[]]
}

/** First line that a tool says of itself; undefined where it is not installed. */
export function versionOf({ version: [program, ...args] }: Harness): string | undefined {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', timeout: 20_000 })
  if (status !== 0) return undefined
  return (stdout.trim() || stderr.trim()).split('\n')[0]?.slice(0, 60)
}
