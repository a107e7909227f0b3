import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const algorithm = 'aes-256-gcm'
export const keyBytes = 32
// NIST SP 800-38D, 8.2.2: random, 96 bits, fine for 2^32 messages with one key.
const nonceBytes = 12
const tagBytes = 16

/** Nonce, ciphertext and tag. `about` is not in it, and has to be said again. */
export function encrypt(key: Uint8Array, plain: Uint8Array, about: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  cipher.setAAD(Buffer.from(about))
  const body = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, body, cipher.getAuthTag()])
}

/** @throws Error when it was changed, or is about something else */
export function decrypt(key: Uint8Array, encrypted: Uint8Array, about: string): Buffer {
  const decipher = createDecipheriv(algorithm, key, encrypted.subarray(0, nonceBytes), {
    authTagLength: tagBytes,
  })
  decipher.setAAD(Buffer.from(about))
  decipher.setAuthTag(encrypted.subarray(-tagBytes))
  return Buffer.concat([decipher.update(encrypted.subarray(nonceBytes, -tagBytes)), decipher.final()])
}
