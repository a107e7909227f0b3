import { AuthorizationResponseError, ResponseBodyError, WWWAuthenticateChallengeError } from 'openid-client'

/** What is wrong with a provider, or with what it was told of us. */
export type OidcFaultReason =
  | 'unreachable'
  | 'no_configuration'
  | 'issuer_mismatch'
  | 'wrong_client'
  | 'clock'
  | 'keys'
  | 'refused'
  | 'failed'

/** A log-in that the provider, or what came of it, ended. The message is ours and safe to show; what the other side said is the cause. */
export class OidcFault extends Error {
  override name = 'OidcFault'
  readonly reason: OidcFaultReason

  constructor(reason: OidcFaultReason, cause?: unknown) {
    super(messages[reason], { cause })
    this.reason = reason
  }
}

const messages: Readonly<Record<OidcFaultReason, string>> = {
  unreachable: 'The issuer cannot be reached from here, or its address may not be called.',
  no_configuration:
    'The issuer has no OpenID configuration below its address: look at /.well-known/openid-configuration there.',
  issuer_mismatch: 'The provider names itself otherwise than the issuer that is set here, to the letter.',
  wrong_client: 'The provider does not accept the client id or the client secret.',
  clock: 'The clocks of the provider and of this installation are too far apart.',
  keys: 'The provider signed with a key that is not among those it publishes.',
  refused: 'The provider did not let the person in.',
  failed: 'The log-in was not the one that was begun, or the provider answered something unexpected.',
}

// https://github.com/panva/oauth4webapi: the codes of its errors
const reasonOfCode: Readonly<Record<string, OidcFaultReason>> = {
  OAUTH_TIMEOUT: 'unreachable',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'unreachable',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'issuer_mismatch',
  OAUTH_JWT_TIMESTAMP_CHECK_FAILED: 'clock',
  OAUTH_KEY_SELECTION_FAILED: 'keys',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'no_configuration',
  OAUTH_RESPONSE_IS_NOT_JSON: 'no_configuration',
  OAUTH_PARSE_ERROR: 'no_configuration',
  OAUTH_MISSING_SERVER_METADATA: 'no_configuration',
  OAUTH_INVALID_SERVER_METADATA: 'no_configuration',
}

/** Which fault an error of `openid-client`, or of the way out, stands for. */
export function oidcFaultOf(error: unknown): OidcFault {
  if (error instanceof OidcFault) return error
  return new OidcFault(reasonOf(error), error)
}

function reasonOf(error: unknown): OidcFaultReason {
  if (error instanceof AuthorizationResponseError) return 'refused'
  // 401 with a challenge is how a token endpoint refuses a client.
  if (error instanceof WWWAuthenticateChallengeError) return 'wrong_client'
  if (error instanceof ResponseBodyError) {
    return ['invalid_client', 'unauthorized_client'].includes(error.error) ? 'wrong_client' : 'failed'
  }
  const chain = [...causesOf(error)]
  // By its name, because it is of a room that this one does not know.
  if (chain.some(({ name }) => name === 'OutboundRefused')) return 'unreachable'
  const claim = chain.map(claimOf).find((found) => found !== undefined)
  if (claim === 'iss') return 'issuer_mismatch'
  if (claim === 'aud' || claim === 'azp') return 'wrong_client'
  // It has the code of all answers that are not as they should be.
  if (chain.some(({ message }) => message === 'JWT signature verification failed')) return 'keys'
  return chain.map((each) => reasonOfCode[codeOf(each)]).find((reason) => reason !== undefined) ?? 'failed'
}

function* causesOf(error: unknown): Generator<Error> {
  for (let at = error; at instanceof Error; at = at.cause) yield at
}

function codeOf(error: Error): string {
  return 'code' in error ? String(error.code) : ''
}

/** The claim of an ID token that was not as expected; its error carries it as the cause. */
function claimOf({ cause }: Error): unknown {
  return typeof cause === 'object' && cause !== null && 'claim' in cause ? cause.claim : undefined
}
