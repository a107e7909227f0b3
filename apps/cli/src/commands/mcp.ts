import { mcpCommands } from '../mcp/commands/commands.ts'
import { UsageError } from '../usage-error.ts'
import type { Command, CommandBody } from './command.ts'

/** `flamegate mcp <command>`, which is `mcp-profiler <command>`: measures MCP servers. */
export async function mcpCommand(name: string | undefined): Promise<Command | CommandBody> {
  const command = mcpCommands.find((each) => each.name === name)
  if (command === undefined) return withoutCommand(name)
  // 1 says that a goal was missed.
  return { ...(await command.load(undefined)), name: `mcp ${command.name}`, errorExitCode: 2 }
}

function withoutCommand(given: string | undefined): CommandBody {
  return {
    details: 'flamegate mcp <command> --help shows the options of one.',
    choices: { title: 'Commands', rows: mcpCommands.map(({ name, summary }) => [name, summary]) },
    positionals: ['command'],
    options: [],
    run: () => {
      const names = mcpCommands.map(({ name }) => name).join(', ')
      throw new UsageError(
        `${given === undefined ? 'Say what to do' : `There is no command ${given} for MCP servers`}. There are: ${names}.`,
      )
    },
  }
}
