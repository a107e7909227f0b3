import { createSign, generateKeyPairSync, hash, randomBytes } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'
import { z } from 'zod'

const creationSchema = z.object({
  rp: z.object({ id: z.string() }),
  user: z.object({ id: z.string() }),
  challenge: z.string(),
})
const requestSchema = z.object({ rpId: z.string(), challenge: z.string() })

export interface AuthenticatorBehaviour {
  /** Where the browser says that the page is from. */
  origin: string
  /** Whether it asked for a fingerprint or a PIN. */
  isUserVerified: boolean
}

/** A passkey in software, with real keys and real signatures: what a browser and its authenticator answer. */
export interface TestAuthenticator {
  create(options: unknown, changes?: Partial<AuthenticatorBehaviour>): object
  get(options: unknown, changes?: Partial<AuthenticatorBehaviour>): object
  /** As a copy of the key would do that somebody took away. */
  setCounter(counter: number): void
}

// https://w3c.github.io/webauthn/#authdata-flags
const userPresent = 0x01
const userVerified = 0x04
const backupEligible = 0x08
const hasCredential = 0x40

export function createTestAuthenticator(behaviour: AuthenticatorBehaviour): TestAuthenticator {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const id = randomBytes(32)
  let counter = 0
  let userHandle = ''

  function authenticatorData(rpId: string, isUserVerified: boolean, credential?: Buffer): Buffer {
    const flags = userPresent | backupEligible | (isUserVerified ? userVerified : 0)
    const head = Buffer.alloc(37)
    Buffer.from(hash('sha256', rpId, 'hex'), 'hex').copy(head)
    head.writeUInt8(flags | (credential ? hasCredential : 0), 32)
    counter += 1
    head.writeUInt32BE(counter, 33)
    return credential ? Buffer.concat([head, credential]) : head
  }

  /** AAGUID, id and COSE key (EC2, ES256): https://w3c.github.io/webauthn/#attested-credential-data */
  function attestedCredential(): Buffer {
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
    const key = new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [-3, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ])
    const idLength = Buffer.alloc(2)
    idLength.writeUInt16BE(id.length)
    return Buffer.concat([Buffer.alloc(16), idLength, id, isoCBOR.encode(key)])
  }

  const credential = (response: object) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    authenticatorAttachment: 'platform',
    clientExtensionResults: { credProps: { rk: true } },
    response,
  })

  return {
    setCounter(next) {
      counter = next
    },
    create(options, changes) {
      const { origin, isUserVerified } = { ...behaviour, ...changes }
      const { rp, user, challenge } = creationSchema.parse(options)
      userHandle = user.id
      const authData = Uint8Array.from(authenticatorData(rp.id, isUserVerified, attestedCredential()))
      const attestation = new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', authData],
      ])
      return credential({
        clientDataJSON: clientData('webauthn.create', challenge, origin).toString('base64url'),
        attestationObject: Buffer.from(isoCBOR.encode(attestation)).toString('base64url'),
        transports: ['internal'],
        publicKeyAlgorithm: -7,
      })
    },
    get(options, changes) {
      const { origin, isUserVerified } = { ...behaviour, ...changes }
      const { rpId, challenge } = requestSchema.parse(options)
      const authData = authenticatorData(rpId, isUserVerified)
      const data = clientData('webauthn.get', challenge, origin)
      const signed = Buffer.concat([authData, Buffer.from(hash('sha256', data, 'hex'), 'hex')])
      return credential({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: createSign('sha256').update(signed).sign(privateKey, 'base64url'),
        userHandle,
      })
    },
  }
}

/** https://w3c.github.io/webauthn/#dictdef-collectedclientdata */
function clientData(type: string, challenge: string, origin: string): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))
}
