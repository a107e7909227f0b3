import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const manifestPath = fileURLToPath(import.meta.resolve('@modelcontextprotocol/conformance/package.json'))
const manifest = z
  .object({ version: z.string(), bin: z.object({ conformance: z.string() }) })
  .parse(JSON.parse(readFileSync(manifestPath, 'utf8')))
const program = join(dirname(manifestPath), manifest.bin.conformance)

export const suiteVersion = manifest.version

const checksSchema = z.array(
  z.object({ id: z.string(), status: z.string(), errorMessage: z.string().optional() }),
)

/** One scenario as it went. */
export interface ScenarioResult {
  scenario: string
  isScored: boolean
  passed: number
  /** Checks of what should be, but need not. */
  warnings: number
  /** What was wrong, a line for each failed check. */
  failures: string[]
}

const timeoutMs = 180_000

/**
 * Runs the suite with `args` and reads what it writes for each scenario. It may exit as it likes: what the checks say
 * counts.
 * @param onLine Told every line it prints.
 * @throws Error when no scenario ran
 */
export async function runSuite(
  args: readonly string[],
  scored: ReadonlySet<string> | 'all',
  onLine: (line: string) => void = () => undefined,
): Promise<ScenarioResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'flamegate-conformance-'))
  try {
    const output = await run([...args, '-o', folder], onLine)
    const results = readdirSync(folder).map((name): ScenarioResult => {
      const [, scenario = name] = /^(?:server-)?(.+?)-\d{4}-\d{2}-\d{2}T/.exec(name) ?? []
      const checks = checksSchema.parse(JSON.parse(readFileSync(join(folder, name, 'checks.json'), 'utf8')))
      return {
        scenario,
        isScored: scored === 'all' || scored.has(scenario),
        passed: checks.filter(({ status }) => status === 'SUCCESS').length,
        warnings: checks.filter(({ status }) => status === 'WARNING').length,
        failures: checks
          .filter(({ status }) => status === 'FAILURE')
          .map(({ id, errorMessage = 'failed' }) => `${id}: ${errorMessage}`),
      }
    })
    if (results.length === 0) throw new Error(`The conformance suite ran nothing:\n${output}`)
    return results.toSorted((a, b) => (a.scenario < b.scenario ? -1 : 1))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The server scenarios that decide whether a revision is kept to. */
export async function scoredScenarios(revision: string): Promise<Set<string>> {
  const output = await run(['list', '--requirements', revision])
  const section = /^Server scenarios[^\n]*\n((?: {2}- .+\n?)+)/m.exec(output)?.[1] ?? ''
  const names = [...section.matchAll(/^ {2}- (\S+)/gm)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error(`The conformance suite lists no scenarios for ${revision}`)
  return new Set(names)
}

async function run(
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<string> {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: timeoutMs,
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    onLine(line)
  }
  return lines.join('\n')
}
