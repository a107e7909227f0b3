import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { z } from 'zod'

const cli = join(import.meta.dirname, '../../../apps/cli/src')
const server = join(cli, 'mcp/testing/steady-server.ts')

/** So much more of the tool's own work makes its calls take 10 % longer: what carries a call takes no longer. */
export const slowerBy = 1.11
/** Of the tool's work: some 3 ms on an idle machine. */
const rounds = 20

/** The command of a build of the sample server; that of 1.0 is always the same. */
export function buildOf(work: number): string[] {
  return [process.execPath, server, '--rounds', String(rounds * work)]
}

const metrics = z.array(
  z.object({ metric: z.string(), changePercent: z.number().nullable(), verdict: z.string() }),
)
const comparison = z.object({
  verdict: z.string(),
  regressions: z.array(z.string()),
  notes: z.array(z.string()),
  overall: metrics,
  operations: z.array(z.object({ metrics })),
})
export type Comparison = z.infer<typeof comparison>

/** Runs a command of `mcp-profiler` that compares, in a process of its own. */
export async function compareWith(
  cwd: string,
  args: readonly string[],
): Promise<Comparison & { exitCode: number }> {
  const { exitCode, out } = await profiler(cwd, [...args, '--json'])
  return { exitCode, ...comparison.parse(JSON.parse(out)) }
}

/** @throws Error for what is neither done nor a regression */
export function profiler(cwd: string, args: readonly string[]): Promise<{ exitCode: number; out: string }> {
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [join(cli, 'mcp-profiler.ts'), ...args],
      { cwd, maxBuffer: 2 ** 28 },
      (error, out, words) => {
        const exitCode = error === null ? 0 : Number(error.code)
        if (exitCode === 0 || exitCode === 1) resolve({ exitCode, out })
        else reject(new Error(`mcp-profiler ended with ${exitCode}: ${words}`))
      },
    )
  })
}

export function changeOf(all: Comparison['overall'], wanted: string): number | null {
  return all.find(({ metric }) => metric === wanted)?.changePercent ?? null
}
