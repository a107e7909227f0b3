import type { Client } from '@flamegate/client'
import type { CommandLine, Option } from '../arguments/command-line.ts'
import type { Terminal } from '../terminal.ts'

/** What a command works with. */
export interface CommandContext {
  line: CommandLine
  terminal: Terminal
  /** A client with the token of the environment, or the log-in. @throws UsageError when there is neither */
  client: () => Client
}

/** One word after `flamegate`. */
export interface Command {
  name: string
  /** One sentence for the list of commands. */
  summary: string
  /** More for the command's own help; may be left out. */
  details?: string
  /** Whole command lines, for its help. */
  examples?: readonly string[]
  /** Names of the arguments without dashes; the last may be given many times when it ends in `…`. */
  positionals: readonly string[]
  options: readonly Option[]
  /** Exit code of everything that goes wrong, where 1 says something else. */
  errorExitCode?: number
  /** @returns the exit code, where it is not 0 */
  run: (context: CommandContext) => Promise<number | void>
}
