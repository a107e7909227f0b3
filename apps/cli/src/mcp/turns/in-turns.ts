import type { CommandContext } from '../../commands/command.ts'
import { interruptible } from '../../harness/interruption.ts'
import { progressOn, type Progress } from '../../upload/progress.ts'
import type { AskedOperations } from '../load/plan-operations.ts'
import { askedOperations, countOf, durationMsOf } from '../options.ts'
import { readSettings, requireEnabled } from '../settings.ts'
import { requireAllowedLoad } from '../target/allowed-load.ts'
import type { McpTarget } from '../target/mcp-target.ts'
import type { TurnsOptions } from './measure-turns.ts'

const warmUpCallsMax = 100_000

/** What everything that is measured in turns works with, as the command line has it. */
export interface InTurns {
  options: Omit<TurnsOptions, 'blockMs' | 'onProgress' | 'isEnough'>
  asked: AskedOperations
  /** @throws UsageError for a host that is not proved to be one's own */
  requireAllowed: (target: McpTarget) => Promise<void>
  /** `what` is before each line; has to be ended. */
  progress: (what: string) => Progress
}

/** @throws UsageError, CouldNotMeasure */
export function inTurns<T>(
  { line, terminal, client }: CommandContext,
  command: string,
  use: (inTurns: InTurns) => Promise<T>,
): Promise<T> {
  return interruptible(async (interruption) => {
    requireEnabled(readSettings(terminal.cwd))
    const projectId = line.text('project') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined)
    return use({
      asked: await askedOperations(line, terminal, false),
      requireAllowed: (target) => requireAllowedLoad(target, { client, projectId }),
      progress: (what) => progressOn(terminal, what),
      options: {
        command,
        interruption,
        warmUpCalls: countOf(line, 'warm-up', warmUpCallsMax, 0) ?? 10,
        session: {
          env: terminal.env,
          timeoutMs: durationMsOf(line, 'timeout', '30s'),
          showLogIn: (page) =>
            terminal.writeError(`The server asks you to log in. Open this page:\n\n  ${page.href}\n\n`),
        },
      },
    })
  })
}
