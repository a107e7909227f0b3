import { inspect } from 'node:util'
import { ApiProblem, ApiUnreachable } from '@flamegate/client'
import { helpOption, readCommandLine } from './arguments/command-line.ts'
import { cliClient } from './cli-client.ts'
import { commands, findCommand } from './commands/commands.ts'
import type { Command } from './commands/command.ts'
import {
  flamegateProgram,
  mcpProfilerProgram,
  renderCommandHelp,
  renderProgramHelp,
  type Program,
} from './help.ts'
import { renderProblem } from './problem-text.ts'
import { mcpCommands } from './mcp/commands/commands.ts'
import { Refusal } from './refusal.ts'
import type { Terminal } from './terminal.ts'
import { UsageError } from './usage-error.ts'

/** 0 done, 1 refused, or a defect of ours; 2 wrong usage, 3 no connection. */
type ErrorExitCode = 1 | 2 | 3

/**
 * Runs the command that `args` (without node and script) name. What is not expected to go wrong is printed with its stack, and
 * ends with the exit code of errors too: thrown on, it would be 1, which says something else of some commands.
 * @returns the exit code
 */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(args[0])) {
    terminal.writeOut(renderProgramHelp(flamegateProgram, commands))
    return 0
  }
  return runNamed(args, terminal, flamegateProgram)
}

/** The same for `mcp-profiler`, whose commands are those of `flamegate mcp`. */
export async function runMcpProfiler(args: readonly string[], terminal: Terminal): Promise<number> {
  if (asksForHelp(args[0])) {
    terminal.writeOut(renderProgramHelp(mcpProfilerProgram, mcpCommands))
    return 0
  }
  return runNamed(['mcp', ...args], terminal, mcpProfilerProgram)
}

function asksForHelp(name: string | undefined): boolean {
  return name === undefined || name === '--help' || name === '-h' || name === 'help'
}

async function runNamed(args: readonly string[], terminal: Terminal, program: Program): Promise<number> {
  let command: Command | undefined
  try {
    const [name = '', ...rest] = args
    command = await findCommand(name).load(rest[0])
    // The operation belongs to the name of its command.
    const ownArgs = command.name.includes(' ') ? rest.slice(1) : rest
    return (await runCommand(command, ownArgs, terminal, program)) ?? 0
  } catch (error) {
    const [exitCode, text] = explain(error)
    terminal.writeError(`${text}\n`)
    return command?.errorExitCode ?? exitCode
  }
}

async function runCommand(
  command: Command,
  args: readonly string[],
  terminal: Terminal,
  program: Program,
): Promise<number | void> {
  const line = readCommandLine(args, [...command.options, helpOption], command.positionals)
  if (line.flag('help') === true) {
    terminal.writeOut(renderCommandHelp(command, program))
    return
  }
  return command.run({ line, terminal, client: () => cliClient(terminal) })
}

function explain(error: unknown): [ErrorExitCode, string] {
  if (error instanceof ApiProblem) return [1, renderProblem(error)]
  if (error instanceof Refusal) return [1, error.message]
  if (error instanceof UsageError) return [2, error.message]
  if (error instanceof ApiUnreachable) return [3, `${error.message}${causeOf(error)}`]
  return [1, inspect(error)]
}

/** Such as `connect ECONNREFUSED 127.0.0.1:4170`, which says where it was tried. */
function causeOf(error: Error): string {
  const deepest = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined
  return deepest instanceof Error && deepest.message !== '' ? ` (${deepest.message})` : ''
}
