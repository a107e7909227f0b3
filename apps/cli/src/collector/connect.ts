import type { Client } from '@flamegate/client'
import { connectCollector } from '@flamegate/contract/profiles/connect-collector'
import type { Terminal } from '../terminal.ts'
import type { AllowList } from './allow-list.ts'
import type { AllowedMcpServer } from './allowed-mcp-server.ts'

/** What a collector works with. */
export interface CollectorContext {
  /** Each of its calls is tried once. */
  client: Client
  /** Its calls are made again where that can help. */
  patient: Client
  terminal: Terminal
  projectId: string
  version: string
  allowList: AllowList
  /** Ends it, after it has cleaned up behind itself. */
  interruption: AbortSignal
  log: (text: string) => void
}

/** Says that it is there, and what it may run. @returns its id */
export async function connect({ client, projectId, version, allowList }: CollectorContext): Promise<string> {
  const { collector_id: id } = await client.call(connectCollector, {
    project_id: projectId,
    name: allowList.name,
    version,
    captures: allowList.captures.map(({ name, kind, types, secondsMax, description }) => ({
      name,
      kind,
      types: [...types],
      seconds_max: secondsMax,
      ...(description === undefined ? {} : { description }),
    })),
    // A platform of before does not know of them.
    ...(allowList.mcpServers.length === 0 ? {} : { mcp_servers: allowList.mcpServers.map(offered) }),
  })
  return id
}

function offered(server: AllowedMcpServer) {
  return {
    name: server.name,
    transport: 'command' in server.entry ? ('stdio' as const) : server.entry.transport,
    commands: [...server.commands],
    operations: [...server.operations],
    seconds_max: server.secondsMax,
    rps_max: server.rpsMax,
    concurrent_max: server.concurrentMax,
    settings: Object.keys(server.settings),
    ...(server.description === undefined ? {} : { description: server.description }),
  }
}
