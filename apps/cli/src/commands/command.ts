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

/** What a command takes and does, apart from what it is called. */
export interface CommandBody {
  /** More for the command's own help; may be left out. */
  details?: string
  /** What may be its next word, with what each is, as the help lists them. */
  choices?: { title: string; rows: readonly (readonly [string, string])[] }
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

/** A command, ready to run. */
export interface Command extends CommandBody {
  name: string
  summary: string
}

/** A command as lists and the help have it. The rest is loaded when it is asked for: all of them together take a second. */
export interface ListedCommand {
  /** One word after `flamegate`. */
  name: string
  /** One sentence for the list of commands. */
  summary: string
  /** `next` is the word after the name, which belongs to the name of some commands. @throws UsageError */
  load: (next: string | undefined) => Promise<Command>
}

/** Puts a command on a list. Where the next word belongs to its name, what is loaded says name and summary itself. */
export function listed(
  name: string,
  summary: string,
  load: (next: string | undefined) => Promise<CommandBody | Command>,
): ListedCommand {
  return { name, summary, load: async (next) => ({ name, summary, ...(await load(next)) }) }
}
