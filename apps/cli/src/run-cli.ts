import { ApiProblem, ApiUnreachable, createClient, type Client } from '@flamegate/client'
import { helpOption, readCommandLine } from './arguments/command-line.ts'
import { commands, findCommand } from './commands/commands.ts'
import { defaultUrl, renderCommandHelp, renderProgramHelp } from './help.ts'
import { renderProblem } from './problem-text.ts'
import type { Terminal } from './terminal.ts'
import { UploadRefused } from './upload/send-presigned.ts'
import { TaskFailed } from './upload/wait-for-task.ts'
import { UsageError } from './usage-error.ts'

/** 0 done, 1 refused, 2 wrong usage, 3 no connection. */
export type ExitCode = 0 | 1 | 2 | 3

/** Runs the command that `args` (without node and script) name. What is not expected to go wrong is thrown. */
export async function runCli(args: readonly string[], terminal: Terminal): Promise<ExitCode> {
  try {
    await dispatch(args, terminal)
    return 0
  } catch (error) {
    const [exitCode, text] = explain(error)
    terminal.writeError(`${text}\n`)
    return exitCode
  }
}

async function dispatch(args: readonly string[], terminal: Terminal): Promise<void> {
  const [name, ...rest] = args
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    terminal.writeOut(renderProgramHelp(commands))
    return
  }
  const command = findCommand(name, rest[0])
  // The operation belongs to the name of its command.
  const ownArgs = command.name.includes(' ') ? rest.slice(1) : rest
  const line = readCommandLine(ownArgs, [...command.options, helpOption], command.positionals)
  if (line.flag('help') === true) {
    terminal.writeOut(renderCommandHelp(command))
    return
  }
  await command.run({ line, terminal, client: () => clientOf(terminal) })
}

function clientOf({ env }: Terminal): Client {
  const url = env['FLAMEGATE_URL'] || defaultUrl
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? '')) {
    throw new UsageError(`FLAMEGATE_URL is ${JSON.stringify(url)}; set it to a URL such as ${defaultUrl}.`)
  }
  const token = env['FLAMEGATE_TOKEN']
  if (token === undefined || token === '') {
    throw new UsageError('Set FLAMEGATE_TOKEN to an API token (fg_…). The web page API tokens makes one.')
  }
  return createClient({
    baseUrl: url.replace(/\/+$/, ''),
    token,
    headers: { 'user-agent': 'flamegate-cli' },
    timeoutMs: 60_000,
  })
}

function explain(error: unknown): [ExitCode, string] {
  if (error instanceof ApiProblem) return [1, renderProblem(error)]
  if (error instanceof TaskFailed || error instanceof UploadRefused) return [1, error.message]
  if (error instanceof UsageError) return [2, error.message]
  if (error instanceof ApiUnreachable) return [3, `${error.message}${causeOf(error)}`]
  throw error
}

/** Such as `connect ECONNREFUSED 127.0.0.1:4170`, which says where it was tried. */
function causeOf(error: Error): string {
  const deepest = error.cause instanceof Error ? (error.cause.cause ?? error.cause) : undefined
  return deepest instanceof Error && deepest.message !== '' ? ` (${deepest.message})` : ''
}
