import { apiPlugin } from '@flamegate/api'
import { createAuthenticator } from '@flamegate/auth'
import { createLogger, createServer } from '@flamegate/runtime'
import { executeOf, identityOf } from '../world.ts'
import { givenWorld, report } from './process.ts'

// The REST API that every gateway of the benchmark calls: the real plugin, with audit, without a database.
const world = givenWorld()
const app = createServer({
  log: createLogger({ level: 'info', format: 'json' }),
  trustedProxies: ['127.0.0.1'],
})
const { execute } = executeOf(world)
const authenticator = await createAuthenticator({ identity: identityOf(world), issuer: world.publicUrl })
await app.register(
  apiPlugin({
    execute,
    authenticator,
    idempotency: {
      claim: async () => ({ state: 'new' }),
      complete: async () => {},
      release: async () => {},
    },
    publicUrl: world.publicUrl,
    allowAssertion: true,
  }),
)
report(await app.listen({ host: '127.0.0.1', port: 0 }))
