import { accessTokenAlgorithm, createAuthenticator, loadSigningKeys } from '@flamegate/auth'
import type { ChoiceClaims } from '@flamegate/auth'
import { createMemoryIdentity } from '@flamegate/auth/testing'
import type { MemoryIdentity } from '@flamegate/auth/testing'
import { Problem } from '@flamegate/contract'
import type { ProblemCode, Scope } from '@flamegate/contract'
import type { CallOrigin } from '@flamegate/operations'
import { createLogger, createMetricsRegistry } from '@flamegate/runtime'
import { problemResultJson } from '@flamegate/surfaces'
import { importJWK, SignJWT } from 'jose'
import type { ApiAnswer, ApiCaller } from './api-caller.ts'
import { buildGateway } from './app.ts'
import type { Gateway, GatewayOptions } from './app.ts'

/** A call as it reached the API. */
export interface SeenCall {
  operation: string
  input: unknown
  origin: CallOrigin
}

export interface TestGateway extends Gateway {
  publicUrl: string
  identity: MemoryIdentity
  calls: SeenCall[]
  /** Calls that were not to be done, because they want to be confirmed; the API refuses them. */
  notDone: SeenCall[]
  /** What the API says from now on. */
  answerWith(answer: ApiAnswer): void
  /** An access token for `/mcp`, as the authorization server would make it. */
  makeToken(changes?: TokenChanges): Promise<string>
  close(): Promise<void>
}

export interface TokenChanges {
  audience?: string
  scopes?: Scope[]
  grantId?: string
  userId?: string
  clientId?: string
  /** What the person left the client. */
  choices?: ChoiceClaims
}

export const plainAnswer: ApiAnswer = {
  status: 200,
  body: '{"content":[{"type":"text","text":"Grüße"}],"structuredContent":{"tools":[]}}',
}

/** A gateway with a memory identity store, in front of an API that says what it is told to. */
export async function startTestGateway(
  publicUrl: string,
  changes: Partial<GatewayOptions> = {},
): Promise<TestGateway> {
  const identity = createMemoryIdentity()
  const authenticator = await createAuthenticator({ identity, issuer: publicUrl })
  const calls: SeenCall[] = []
  const notDone: SeenCall[] = []
  let answer = plainAnswer
  const apiCaller: ApiCaller = {
    call: (operation, input, origin) => {
      const { confirmation } = origin
      if (confirmation !== undefined && confirmation !== 'given') {
        notDone.push({ operation: operation.id, input, origin })
        // What cannot be done in any case is refused for that.
        return Promise.resolve(answer.status < 400 ? refuse(`confirmation_${confirmation}`) : answer)
      }
      calls.push({ operation: operation.id, input, origin })
      return Promise.resolve(answer)
    },
    close: () => Promise.resolve(),
  }
  const gateway = await buildGateway({
    publicUrl,
    identity,
    authenticator,
    apiCaller,
    rest: { apiUrl: 'http://127.0.0.1:9' },
    log: createLogger({ level: 'silent' }),
    metrics: createMetricsRegistry(),
    ...changes,
  })
  return {
    ...gateway,
    publicUrl,
    identity,
    calls,
    notDone,
    answerWith(next) {
      answer = next
    },
    makeToken: (token) => signToken(identity, publicUrl, token),
    async close() {
      await gateway.app.close()
      await authenticator.close()
    },
  }
}

function refuse(code: ProblemCode): ApiAnswer {
  const problem = new Problem(code, 'Nothing was done.')
  return { status: problem.status, body: problemResultJson(problem.toDetails('https://docs.example')) }
}

async function signToken(
  identity: MemoryIdentity,
  issuer: string,
  changes: TokenChanges = {},
): Promise<string> {
  const [jwk] = await loadSigningKeys(identity)
  if (!jwk) throw new RangeError('There is no key to sign with')
  const { audience = `${issuer}/mcp`, scopes = ['read'], grantId = 'grant-1', choices } = changes
  const { userId = 'usr_ada', clientId = 'client-1' } = changes
  const claims = { scope: scopes.join(' '), client_id: clientId, client_name: 'An agent', gid: grantId }
  return new SignJWT({ ...claims, ...choices })
    .setProtectedHeader({ alg: accessTokenAlgorithm, typ: 'at+jwt', kid: jwk.kid })
    .setIssuer(issuer)
    .setSubject(userId)
    .setAudience(audience)
    .setIssuedAt()
    .setExpirationTime('10m')
    .sign(await importJWK(jwk, accessTokenAlgorithm))
}
