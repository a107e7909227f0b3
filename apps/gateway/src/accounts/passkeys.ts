import type { Passkey, PasskeyStore, User } from '@flamegate/operations/ports'
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'

/**
 * Passkeys (WebAuthn, discoverable, with the person verified by their device). The challenge in the options goes to
 * the browser and comes back with the answer; whoever calls this keeps it in between.
 */
export interface Passkeys {
  registrationOptions(user: User): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Undefined when the answer proves nothing. Throws `Conflict('passkey')` when it is registered already. */
  register(
    userId: string,
    name: string,
    challenge: string,
    response: RegistrationResponseJSON,
  ): Promise<Passkey | undefined>
  authenticationOptions(): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** Whose passkey answered; undefined when the answer proves nothing. */
  authenticate(challenge: string, response: AuthenticationResponseJSON): Promise<string | undefined>
}

/** EdDSA, ES256, RS256. */
const supportedAlgorithmIDs = [-8, -7, -257]

/** @param siteUrl The public URL: passkeys belong to its host and are used from its origin only. */
export function createPasskeys(passkeys: PasskeyStore, siteUrl: string): Passkeys {
  const { hostname: rpID, origin } = new URL(siteUrl)
  return {
    async registrationOptions(user) {
      return generateRegistrationOptions({
        rpName: 'Flamegate',
        supportedAlgorithmIDs,
        rpID,
        userID: Uint8Array.from(Buffer.from(user.id)),
        userName: user.email,
        userDisplayName: user.name,
        attestationType: 'none',
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        excludeCredentials: (await passkeys.list(user.id)).map(({ id, transports }) => ({ id, transports })),
      })
    },

    async register(userId, name, challenge, response) {
      const { registrationInfo: info } = await verifyRegistrationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        requireUserVerification: true,
        supportedAlgorithmIDs,
      }).catch(asUnproved)
      if (!info) return undefined
      const { id, publicKey, counter, transports = [] } = info.credential
      return passkeys.add({
        id,
        userId,
        name,
        publicKey,
        counter,
        transports,
        isBackupEligible: info.credentialDeviceType === 'multiDevice',
        isBackedUp: info.credentialBackedUp,
      })
    },

    authenticationOptions: () => generateAuthenticationOptions({ rpID, userVerification: 'required' }),

    async authenticate(challenge, response) {
      const passkey = await passkeys.find(response.id)
      if (!passkey) return undefined
      const { userHandle } = response.response
      if (userHandle !== undefined && userHandle !== Buffer.from(passkey.userId).toString('base64url')) {
        return undefined
      }
      const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
        response,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpID,
        credential: {
          id: passkey.id,
          publicKey: Uint8Array.from(passkey.publicKey),
          counter: passkey.counter,
          transports: passkey.transports,
        },
        requireUserVerification: true,
      }).catch(asUnproved)
      if (!verified || !info) return undefined
      await passkeys.noteUse(passkey.id, { counter: info.newCounter, isBackedUp: info.credentialBackedUp })
      return passkey.userId
    },
  }
}

/** The library throws for whatever is wrong with what a browser sent; to us that is one thing: no proof. */
function asUnproved(): { verified: false; registrationInfo?: never; authenticationInfo?: never } {
  return { verified: false }
}

/** Browsers want https, or this very machine by its name, and never an IP address: https://w3c.github.io/webauthn/#rp-id */
export function canUsePasskeys(siteUrl: string): boolean {
  const { protocol, hostname } = new URL(siteUrl)
  if (/^[\d.]+$|^\[/.test(hostname)) return false
  return protocol === 'https:' || hostname === 'localhost' || hostname.endsWith('.localhost')
}
