import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import fastify from 'fastify'
import { z } from 'zod'
import { benchTools } from '../tools.ts'
import { givenWorld, report } from './process.ts'
import { restCaller } from './rest-call.ts'

// SDK 1.x by hand: the low-level Server, new for each request; tools, their JSON schemas and validators made once.
const world = givenWorld()
const callRest = await restCaller(world)

const tools = benchTools().map(({ shape, ...tool }) => {
  const { type: _object, ...schema } = z.toJSONSchema(z.object(shape()), { io: 'input', target: 'draft-7' })
  return { ...tool, inputSchema: { type: 'object' as const, ...schema } }
})
const schemas = new Map(benchTools().map(({ name, shape }) => [name, z.object(shape())]))

function makeServer(): Server {
  const server = new Server({ name: 'bench', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const input = schemas.get(params.name)?.parse(params.arguments ?? {})
    return JSON.parse(await callRest(params.name, input))
  })
  return server
}

const app = fastify()
app.post('/mcp', async (request, reply) => {
  reply.hijack()
  const server = makeServer()
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  })
  reply.raw.on('close', () => {
    void transport.close()
    void server.close()
  })
  await server.connect(transport)
  await transport.handleRequest(request.raw, reply.raw, request.body)
})
report(await app.listen({ host: '127.0.0.1', port: 0 }))
