import { credentialsOf } from '../login/credentials.ts'
import { mcpAddress } from '../mcp-stdio/mcp-address.ts'
import type { CommandBody } from './command.ts'

/** `flamegate mcp-stdio`: for MCP clients that start a command and know no URLs. */
export const mcpStdio: CommandBody = {
  details:
    'Passes everything on between the client that started it and the MCP endpoint of the platform, with the token of FLAMEGATE_TOKEN or the log-in of flamegate login, which it renews. A client that takes a URL needs none of this. What goes wrong is told on stderr. docs/mcp-addresses.md tells what each address lists.',
  examples: [
    'flamegate mcp-stdio',
    'flamegate mcp-stdio --address /mcp/compact',
    'flamegate mcp-stdio --toolsets benchmarks,profiles --readonly',
  ],
  positionals: [],
  options: [
    {
      name: 'address',
      value: '<path>',
      description: 'Which tools are listed, such as /mcp/compact or /mcp/w/acme; /mcp when left out.',
    },
    { name: 'toolsets', value: '<names>', description: 'Only these toolsets, with commas between.' },
    { name: 'readonly', description: 'Only what reads.' },
  ],
  async run({ line, terminal }) {
    const credentials = credentialsOf(terminal.env, 'mcp')
    const address = mcpAddress(credentials.url, {
      address: line.text('address'),
      toolsets: line.text('toolsets'),
      isReadOnly: line.flag('readonly') === true,
    })
    // With the protocol, which no other command needs.
    const { runMcpStdio } = await import('../mcp-stdio/run-mcp-stdio.ts')
    await runMcpStdio(address, credentials, terminal)
  },
}
