import fastify from 'fastify'
import { givenWorld, report } from './process.ts'
import { restCaller } from './rest-call.ts'

// The floor: a Fastify route that passes the arguments on to the same REST route and its answer back. No MCP, no
// tokens, no log.
const world = givenWorld()
const callRest = await restCaller(world)
const app = fastify()

interface Call {
  id: number
  params: { name: string; arguments: Record<string, unknown> }
}
app.post<{ Body: Call }>('/mcp', async (request, reply) => {
  const { id, params } = request.body
  const result = await callRest(params.name, params.arguments)
  return reply.type('application/json').send(`{"jsonrpc":"2.0","id":${id},"result":${result}}`)
})
report(await app.listen({ host: '127.0.0.1', port: 0 }))
