import { mcpCommands } from '../mcp/commands/commands.ts'
import { UsageError } from '../usage-error.ts'
import type { Command } from './command.ts'

/** `flamegate mcp <command>`, which is `mcp-profiler <command>`: measures MCP servers. */
export function mcpCommand(name: string | undefined): Command {
  const command = mcpCommands.find((each) => each.name === name)
  // 1 says that a goal was missed.
  if (command !== undefined) return { ...command, name: `mcp ${command.name}`, errorExitCode: 2 }
  return {
    name: 'mcp',
    summary: 'Measure an MCP server: latency, load, capacity, regressions.',
    details: mcpCommands.map((each) => `flamegate mcp ${each.name}: ${each.summary}`).join(' '),
    positionals: ['command'],
    options: [],
    run: () => {
      const names = mcpCommands.map((each) => each.name).join(', ')
      throw new UsageError(
        `${name === undefined ? 'Say what to do' : `There is no command ${name} for MCP servers`}. There are: ${names}.`,
      )
    },
  }
}
