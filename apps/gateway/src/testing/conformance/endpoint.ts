import { createConfirmations } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import { Problem, scopeNames } from '@flamegate/contract'
import type { Principal } from '@flamegate/contract'
import { createLogger, createServer } from '@flamegate/runtime'
import {
  buildToolRegistry,
  joinLibraries,
  problemResultJson,
  publicTexts,
  recordLibrary,
  skillLibrary,
  textLibrary,
} from '@flamegate/surfaces'
import { mcpRoutes } from '../../mcp/mcp-routes.ts'
import { createResources } from '../../oauth/resources.ts'
import { findFreePort } from '../../oauth/test-site.ts'
import { fixtureLibrary } from './library.ts'
import { fixturePack } from './pack.ts'

const principal: Principal = {
  userId: 'usr_conformance',
  via: 'oauth',
  clientId: 'conformance',
  clientName: 'Conformance suite',
  scopes: scopeNames,
}

/**
 * The MCP endpoint of the gateway for the official conformance suite: the same routes, with the suite's fixtures
 * beside our tools, and open to everybody, because the suite sends no credential. On loopback only; for tests, and not
 * reached from any app or setting.
 */
export async function startConformanceEndpoint(): Promise<{ url: string; close(): Promise<void> }> {
  const port = await findFreePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const identity = createMemoryIdentity()
  const log = createLogger({ level: 'silent' })
  const app = createServer({ log })
  const texts = publicTexts(publicUrl)
  const pack = fixturePack(() => identity.tellVisibleChange('everybody'))
  await app.register(
    mcpRoutes({
      buildRegistry(policy) {
        const tools = [...buildToolRegistry(policy).tools, ...pack.tools]
        return { tools: [], toolsJson: JSON.stringify(tools) }
      },
      library: joinLibraries(fixtureLibrary, textLibrary(texts), skillLibrary(texts), recordLibrary),
      apiCaller: {
        call: async () => {
          const problem = new Problem('not_found', 'There is nothing behind the conformance endpoint.')
          return { status: problem.status, body: problemResultJson(problem.toDetails(publicUrl)) }
        },
        refusalOf: () => undefined,
        close: () => Promise.resolve(),
      },
      authenticator: {
        authenticate: () => Promise.resolve({ principal }),
        isWithdrawn: () => Promise.resolve(false),
      },
      confirmations: await createConfirmations(identity),
      identity,
      resources: createResources(publicUrl),
      publicUrl,
      log,
      pack,
    }),
  )
  await app.listen({ host: '127.0.0.1', port })
  return { url: `${publicUrl}/mcp`, close: () => app.close() }
}
