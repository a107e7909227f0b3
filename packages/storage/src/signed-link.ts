import { createHmac, timingSafeEqual } from 'node:crypto'
import { isObjectKey } from './object-key.ts'

/** Everything a link allows. Any change to any of it makes the signature wrong. */
export interface LinkClaims {
  method: 'PUT' | 'GET'
  key: string
  /** Seconds since 1970. */
  expiresAtS: number
  contentType: string
  /** Exact length of an upload; 0 for downloads. */
  sizeBytes: number
  /** What a download is saved as; empty for uploads. */
  fileName: string
  /** Tells links apart, so that each upload link works once. */
  nonce: string
}

/** The query string of a link, without `?`. */
export function signLink(claims: LinkClaims, signingKey: string): string {
  return new URLSearchParams({
    expires: String(claims.expiresAtS),
    type: claims.contentType,
    size: String(claims.sizeBytes),
    name: claims.fileName,
    nonce: claims.nonce,
    signature: signatureOf(claims, signingKey).toString('base64url'),
  }).toString()
}

/** What the link allows; undefined when it was not made with this key for this method, was changed, or has expired. */
export function readLink(
  method: 'PUT' | 'GET',
  key: string,
  query: URLSearchParams,
  signingKey: string,
  nowMs: number,
): LinkClaims | undefined {
  const claims: LinkClaims = {
    method,
    key,
    expiresAtS: Number(query.get('expires')),
    contentType: query.get('type') ?? '',
    sizeBytes: Number(query.get('size')),
    fileName: query.get('name') ?? '',
    nonce: query.get('nonce') ?? '',
  }
  const given = Buffer.from(query.get('signature') ?? '', 'base64url')
  const expected = signatureOf(claims, signingKey)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  return isObjectKey(key) && nowMs < claims.expiresAtS * 1_000 ? claims : undefined
}

function signatureOf(claims: LinkClaims, signingKey: string): Buffer {
  const { method, key, expiresAtS, contentType, sizeBytes, fileName, nonce } = claims
  // JSON keeps the fields apart: no two different claims have the same text.
  const text = JSON.stringify([method, key, expiresAtS, contentType, sizeBytes, fileName, nonce])
  return createHmac('sha256', signingKey).update(text).digest()
}
