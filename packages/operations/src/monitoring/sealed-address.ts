import type { Sealing } from '../ports/index.ts'

/** Where messages go, as it is stored: sealed, because many addresses have a secret in their path. */
interface StoredAddress {
  /** For which it was sealed. */
  id: string
  sealedUrl: string | null
  /** As it lay there before addresses were sealed; then it is this one. */
  plainUrl: string | null
}

/** @throws SecretLost */
export async function openAddress(
  { id, sealedUrl, plainUrl }: StoredAddress,
  sealing: Sealing,
): Promise<string> {
  if (plainUrl !== null) return plainUrl
  if (sealedUrl === null) throw new TypeError('There is no address')
  return sealing.open(sealedUrl, id)
}
