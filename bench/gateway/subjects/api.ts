import { callerAssertionHeader, createAuthenticator } from '@flamegate/auth'
import { findOperation } from '@flamegate/contract'
import { mediaTypes, toolResultJson } from '@flamegate/surfaces'
import fastify from 'fastify'
import { executeOf, identityOf } from '../world.ts'
import { givenWorld, report } from './process.ts'

// The REST API that every server of the benchmark calls. It checks the gateway's word on every call and audits it,
// but runs the real operation only for an input that it has not seen: it shares a core with the load generator, and
// what waits for a slow API says nothing about gateways.
const world = givenWorld()
const { execute, audit } = executeOf(world)
const authenticator = await createAuthenticator({
  identity: await identityOf(world),
  issuer: world.publicUrl,
})
const answers = new Map<string, string>()
const app = fastify()

app.post<{ Params: { name: string } }>('/v1/tools/:name', async (request, reply) => {
  const assertion = request.headers[callerAssertionHeader]
  const authentication = await authenticator.authenticate(
    { method: 'POST', callerAssertion: typeof assertion === 'string' ? assertion : undefined },
    { audience: `${world.publicUrl}/v1`, allowAssertion: true },
  )
  if ('failure' in authentication) return reply.code(401).send()
  const operation = findOperation(request.params.name)
  if (!operation) return reply.code(404).send()
  const origin = { principal: authentication.principal, requestId: request.id, ip: request.ip }
  const key = JSON.stringify([operation.id, request.body])
  const answer = answers.get(key) ?? toolResultJson(operation, await execute(operation, request.body, origin))
  answers.set(key, answer)
  await audit(operation, origin)
  return reply.type(mediaTypes.toolResult).send(answer)
})
report(await app.listen({ host: '127.0.0.1', port: 0 }))
