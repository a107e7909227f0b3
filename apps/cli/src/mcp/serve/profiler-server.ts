import { McpServer } from '@modelcontextprotocol/server'
import { cliVersion } from '../../commands/agent-settings.ts'
import { addMeasuringTools } from './measuring-tools.ts'
import { addReadingTools } from './reading-tools.ts'
import { CommandRunner, type ServeSettings } from './run-for-client.ts'
import { addTurnsTools } from './turns-tools.ts'

const instructions = `Measures MCP servers of this project: how fast they answer, where time and memory go, what got slower.
- list_mcp_targets has the names that other tools take. Only tools that say that they only read are called, unless the person who started this allowed more.
- What is wrong with a server: diagnose_mcp_server.
- Before and after a change: label what you measure, change the server, measure again, then compare_mcp_sessions. Surer is test_mcp_regression, of two servers that are both there.
- One measurement runs at a time; a tool answers when it is over.`

/** mcp-profiler as an MCP server. */
export function profilerServer(settings: ServeSettings): McpServer {
  const server = new McpServer(
    { name: 'mcp-performance-profiler', title: 'MCP performance profiler', version: cliVersion() },
    { instructions },
  )
  const runner = new CommandRunner(settings)
  addReadingTools(server, runner)
  addMeasuringTools(server, runner)
  addTurnsTools(server, runner)
  return server
}
