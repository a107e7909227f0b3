import { hash, randomBytes } from 'node:crypto'

/** What an API token begins with, so that people and secret scanners recognise one. */
export const apiTokenPrefix = 'fg_'

/** A new secret of 256 random bits in base64url, behind `prefix`. It is shown once; only its hash is stored. */
export function newSecret(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}

/**
 * Hex SHA-256 of a secret: what is stored and looked up. No salt and no stretching, because our secrets have
 * 256 random bits; passwords go through `hashPassword`.
 */
export function hashSecret(secret: string): string {
  return hash('sha256', secret)
}

/** A new secret of an API token or a public link, and what of it is stored. */
export function newTokenSecret(): { secret: string; hash: string } {
  const secret = newSecret(apiTokenPrefix)
  return { secret, hash: hashSecret(secret) }
}
