import type { PackageVersion } from '../clients/install.ts'
import type { CommandResult, Terminal } from '../clients/terminal.ts'
import type { StepName } from './results.ts'

/** The folder `deploy/agents`, in the home folder of every client. */
export const filesFolder = 'agents'

/** What a client has to work with. */
export interface Situation {
  terminal: Terminal
  /** Where the platform is, as the client reaches it. */
  siteUrl: string
  /** What the plugin brings. */
  skills: readonly string[]
  commands: readonly string[]
}

export interface StepResult extends CommandResult {
  works: boolean
}

type Step = (situation: Situation) => Promise<StepResult>

/** One way to install what is for one client. Steps that it cannot show by itself are left out. */
export interface Try {
  title: string
  package: PackageVersion
  steps: Partial<Record<StepName, Step>>
}

/** Runs one command after the other, as long as they end with 0; the output is that of all of them. */
export async function inTurn(
  { terminal }: Situation,
  commands: readonly (readonly string[])[],
  env: Readonly<Record<string, string>> = {},
): Promise<CommandResult> {
  let output = ''
  for (const command of commands) {
    const result = await terminal.run(command, { env, input: '', timeoutMs: 120_000 })
    output += result.output
    if (result.code !== 0) return { code: result.code, output }
  }
  return { code: 0, output }
}

/** That the commands ended well, and that all of this is in what they wrote. */
export function judged(result: CommandResult, ...expected: readonly (string | RegExp)[]): StepResult {
  const { code, output } = result
  const works = expected.every((each) =>
    typeof each === 'string' ? output.includes(each) : each.test(output),
  )
  return { ...result, works: code === 0 && works }
}

/** Words of their own, so that `load-test` is not found in `load-test-this`. */
export function words(names: readonly string[]): RegExp[] {
  return names.map((name) => new RegExp(`(?<![\\w-])${name}(?![\\w-])`))
}
