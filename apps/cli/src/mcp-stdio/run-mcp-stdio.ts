import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { interruptible } from '../harness/interruption.ts'
import type { CliCredentials } from '../login/credentials.ts'
import type { Terminal } from '../terminal.ts'
import { authorizedFetch } from './authorized-fetch.ts'
import { patientFetch } from './patient-fetch.ts'
import { StdioBridge } from './stdio-bridge.ts'

/** Stands between the client at the standard streams of this process and the endpoint at `address`, until one of them ends it. */
export async function runMcpStdio(
  address: URL,
  credentials: CliCredentials,
  terminal: Terminal,
): Promise<void> {
  const platform = new StreamableHTTPClientTransport(address, {
    fetch: authorizedFetch(credentials, patientFetch),
    requestInit: { headers: { 'user-agent': 'flamegate-cli' } },
  })
  const bridge = new StdioBridge({
    client: new StdioServerTransport(),
    platform,
    say: (text) => terminal.writeError(`flamegate: ${text}\n`),
  })
  await interruptible((interruption) => bridge.run(interruption))
}
