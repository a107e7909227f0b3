export { maxAccessTokenLifetimeSeconds } from './access-token-lifetime.ts'
export { callerAssertionHeader } from './assertion.ts'
export type { CallerAssertions } from './assertion.ts'
export { createAuthenticator } from './authenticate.ts'
export type {
  Authentication,
  AuthenticationFailure,
  Authenticator,
  AuthenticatorOptions,
  Credentials,
  Demand,
} from './authenticate.ts'
export { bearerChallenge } from './challenge.ts'
export type { BearerChallenge } from './challenge.ts'
export { hashPassword, passwordLength, verifyPassword } from './password.ts'
export { isSameOrigin } from './same-origin.ts'
export type { RequestOrigin } from './same-origin.ts'
export { apiTokenPrefix, hashSecret, newSecret } from './secret.ts'
export { readCookie, sessionCookieName } from './session-cookie.ts'
export { accessTokenAlgorithm, loadSigningKeys } from './signing-keys.ts'
export { loadStorageKey } from './storage-key.ts'
