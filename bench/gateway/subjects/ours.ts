import { createAuthenticator } from '@flamegate/auth'
import { buildGateway, httpApiCaller, inProcessApiCaller } from '@flamegate/gateway'
import { createLogger, createMetricsRegistry } from '@flamegate/runtime'
import type { ListedTool, ToolRegistry } from '@flamegate/surfaces'
import { z } from 'zod'
import { benchTools } from '../tools.ts'
import type { BenchTool } from '../tools.ts'
import { executeOf, identityOf } from '../world.ts'
import { givenWorld, report } from './process.ts'

// Our gateway as it is deployed: tokens checked, calls counted, metrics and one log line per request; in front of
// the API, or with the operations in the same process.
const { isInProcess, ...world } = givenWorld()
const log = createLogger({ level: 'info', format: 'json' })
const identity = await identityOf(world)
const authenticator = await createAuthenticator({ identity, issuer: world.publicUrl })
const docsUrl = `${world.publicUrl}/v1/docs`
const { app } = await buildGateway({
  publicUrl: world.publicUrl,
  identity,
  authenticator,
  apiCaller: isInProcess
    ? inProcessApiCaller(executeOf(world).execute, docsUrl, log)
    : httpApiCaller({ apiUrl: world.apiUrl, assertions: authenticator.assertions, docsUrl, log }),
  rest: { apiUrl: world.apiUrl },
  log,
  metrics: createMetricsRegistry(),
  buildRegistry: () => registryOf(benchTools()),
})
report(await app.listen({ host: '127.0.0.1', port: 0 }))

/** The same 100 tools as everybody else lists; `find_tools`, which is called, is ours. */
function registryOf(all: BenchTool[]): ToolRegistry {
  const tools = all.map(({ shape, annotations, ...tool }): ListedTool => {
    const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(z.object(shape()), { io: 'input' })
    return {
      ...tool,
      inputSchema,
      annotations: { ...annotations, destructiveHint: false, idempotentHint: false },
    }
  })
  return { tools, toolsJson: JSON.stringify(tools) }
}
