import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import fastify from 'fastify'
import { benchTools } from '../tools.ts'
import { givenWorld, report } from './process.ts'
import { restCaller } from './rest-call.ts'

// SDK 1.x as its documentation shows stateless serving: a new McpServer and transport for each request, with the
// tools defined in the function that makes the server. JSON answers, Fastify instead of Express, undici instead of
// fetch: all of these are faster than what is documented.
const world = givenWorld()
const callRest = await restCaller(world)

function makeServer(): McpServer {
  const server = new McpServer({ name: 'bench', version: '1.0.0' })
  for (const { name, title, description, annotations, shape } of benchTools()) {
    server.registerTool(name, { title, description, annotations, inputSchema: shape() }, async (input) =>
      JSON.parse(await callRest(name, input)),
    )
  }
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
