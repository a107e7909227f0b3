import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { benchTools } from '../tools.ts'
import { givenWorld } from './process.ts'
import { restCaller } from './rest-call.ts'

// The same tools over stdin and stdout, for gateways that put such a server on the network. The leanest way that the
// SDK has, so that the gateway is what is measured.
const world = givenWorld()
const callRest = await restCaller(world)

const tools = benchTools().map(({ shape, ...tool }) => {
  const { type: _object, ...schema } = z.toJSONSchema(z.object(shape()), { io: 'input', target: 'draft-7' })
  return { ...tool, inputSchema: { type: 'object' as const, ...schema } }
})

const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } })
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
server.setRequestHandler(CallToolRequestSchema, async ({ params }) =>
  JSON.parse(await callRest(params.name, params.arguments ?? {})),
)
await server.connect(new StdioServerTransport())
