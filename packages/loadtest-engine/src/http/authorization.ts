import { digestAuthorization, readDigestChallenge } from './digest.ts'
import type { DigestChallenge } from './digest.ts'
import type { HttpRequestToSend } from './request.ts'

/** With the variables filled in. */
export type Credentials =
  | { type: 'basic' | 'digest'; userName: string; password: string }
  | { type: 'bearer'; token: string }

/** Proves who the user is to the servers that want to know, and remembers the challenges of those that challenge. */
export class Authorization {
  readonly #challenges = new Map<string, { challenge: DigestChallenge; count: number }>()

  /** Value of the header that goes with a request; undefined where a challenge has to come first. */
  header(credentials: Credentials, request: HttpRequestToSend): string | undefined {
    switch (credentials.type) {
      case 'bearer':
        return bearerAuthorization(credentials.token)
      case 'basic':
        return basicAuthorization(credentials)
      default: {
        const known = this.#challenges.get(request.url.origin)
        if (known === undefined) return undefined
        const uri = `${request.url.pathname}${request.url.search}`
        return digestAuthorization(
          known.challenge,
          credentials,
          { method: request.method, uri },
          ++known.count,
        )
      }
    }
  }

  /** Takes in what a 401 asks for. True when it makes sense to ask again. */
  challenged(credentials: Credentials, request: HttpRequestToSend, authenticate: readonly string[]): boolean {
    if (credentials.type !== 'digest') return false
    const challenge = readDigestChallenge(authenticate)
    if (challenge === undefined) return false
    const wasKnown = this.#challenges.get(request.url.origin)
    this.#challenges.set(request.url.origin, { challenge, count: 0 })
    // The same nonce again, not said to be too old, means that the password is wrong.
    return wasKnown === undefined || challenge.isStale || wasKnown.challenge.nonce !== challenge.nonce
  }
}

export function bearerAuthorization(token: string): string {
  return `Bearer ${token}`
}

export function basicAuthorization({ userName, password }: { userName: string; password: string }): string {
  return `Basic ${Buffer.from(`${userName}:${password}`).toString('base64')}`
}
