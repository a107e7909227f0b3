import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto'

/** A key and a certificate for it, in PEM. */
export interface Certificate {
  key: string
  cert: string
}

/** A certificate for localhost and 127.0.0.1 that is signed by nobody but itself (RFC 5280), made anew each time. */
export function selfSignedCertificate(): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'))
  const name = sequence(set(sequence(objectId('550403'), der(0x0c, Buffer.from('localhost')))))
  const validity = sequence(der(0x17, Buffer.from('200101000000Z')), der(0x17, Buffer.from('490101000000Z')))
  const alternativeNames = sequence(
    der(0x82, Buffer.from('localhost')),
    der(0x87, Buffer.from([127, 0, 0, 1])),
  )
  const isAuthority = sequence(der(0x01, Buffer.from([0xff])))
  const extensions = sequence(
    sequence(objectId('551d11'), der(0x04, alternativeNames)),
    sequence(objectId('551d13'), der(0x04, isAuthority)),
  )
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    validity,
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = sign(
    'sha256',
    body,
    createPrivateKey(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  )
  const certificate = sequence(body, ecdsaWithSha256, der(0x03, Buffer.concat([Buffer.from([0]), signature])))
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? []
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n'),
  }
}

const sequence = (...parts: Buffer[]) => der(0x30, Buffer.concat(parts))
const set = (...parts: Buffer[]) => der(0x31, Buffer.concat(parts))
const objectId = (hex: string) => der(0x06, Buffer.from(hex, 'hex'))

/** One element: its tag, its length, its content. */
function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
