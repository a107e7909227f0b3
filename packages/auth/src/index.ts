export { createAccessTokenClaims } from './access-token-claims.ts'
export type { AccessTokenClaims } from './access-token-claims.ts'
export { maxAccessTokenLifetimeSeconds } from './access-token-lifetime.ts'
export { addressKey } from './address-key.ts'
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
export { choiceClaims } from './choice-claims.ts'
export type { ChoiceClaims } from './choice-claims.ts'
export { bearerChallenge } from './challenge.ts'
export type { BearerChallenge } from './challenge.ts'
export { createConfirmations } from './confirmation.ts'
export type { Confirmations, ConfirmationWay, ConfirmedCall } from './confirmation.ts'
export { createVouchedPerson } from './create-vouched-person.ts'
export { firstWorkspace } from './first-workspace.ts'
export { createGuessLimiter } from './guess-limiter.ts'
export { keyBytes } from './keys/aes-gcm.ts'
export { MasterKeyError } from './keys/key-provider.ts'
export {
  masterKeyOf,
  openMasterKeys,
  type MasterKeySettings,
  type OpenMasterKeys,
} from './keys/master-keys.ts'
export { loadCookieKeys } from './cookie-keys.ts'
export { ExpiringCache } from './expiring-cache.ts'
export { hashPassword, passwordLength, verifyPassword } from './password.ts'
export { rotateKeys } from './rotate-keys.ts'
export { isSameOrigin } from './same-origin.ts'
export type { RequestOrigin } from './same-origin.ts'
export { createSealing } from './sealing.ts'
export { apiTokenPrefix, hashSecret, newSecret, newTokenSecret } from './secret.ts'
export { readCookie, sessionCookieName } from './session-cookie.ts'
export { loadAuditKey } from './audit-key.ts'
export { accessTokenAlgorithm, loadSigningKeys } from './signing-keys.ts'
export { loadStorageKey } from './storage-key.ts'
