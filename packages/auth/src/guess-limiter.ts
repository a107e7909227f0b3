import { Problem } from '@flamegate/contract'
import { addressKey } from './address-key.ts'
import { ExpiringCache } from './expiring-cache.ts'

/**
 * Makes trying out tokens slow. An address that showed many wrong ones is told to wait before the next is looked up;
 * tokens that were right lately are looked up wherever they come from. Counted in this process.
 */
export interface GuessLimiter {
  /**
   * Before a token is looked up. `tokenHash` tells it from others.
   * @throws Problem `rate_limited`
   */
  beforeLookUp(address: string | undefined, tokenHash: string): void
  noteRight(tokenHash: string): void
  /**
   * The same token again is no further guess: it is a client that was not told of a new one.
   * @throws Problem `rate_limited` when that was one too many
   */
  noteWrong(address: string | undefined, tokenHash: string): void
}

/** So many wrong tokens in a row, and then one a second. */
const mostInARow = 100
const everyMs = 1000

const rememberedForMs = 600_000
const maxAddresses = 50_000

export function createGuessLimiter(now: () => number): GuessLimiter {
  /** When an address has all its tries again: each wrong token moves that on by one interval. */
  const forgivenAtMs = new Map<string, number>()
  const right = new ExpiringCache<true>(10_000)
  const wrong = new ExpiringCache<true>(10_000)

  function missingTries(key: string): number {
    return Math.max(0, (forgivenAtMs.get(key) ?? 0) - now()) / everyMs
  }

  function forget(): void {
    if (forgivenAtMs.size <= maxAddresses) return
    for (const [key, at] of forgivenAtMs) if (at <= now()) forgivenAtMs.delete(key)
    // Oldest first, so that a stranger with many addresses cannot fill our memory.
    for (const key of forgivenAtMs.keys()) {
      if (forgivenAtMs.size <= maxAddresses) return
      forgivenAtMs.delete(key)
    }
  }

  return {
    beforeLookUp(address, tokenHash) {
      if (address === undefined || missingTries(addressKey(address)) < mostInARow) return
      if (right.get(tokenHash, now()) === undefined) throw tooMany(missingTries(addressKey(address)))
    },

    noteRight: (tokenHash) => right.set(tokenHash, true, now() + rememberedForMs),

    noteWrong(address, tokenHash) {
      if (address === undefined) return
      const key = addressKey(address)
      const guess = `${key} ${tokenHash}`
      if (wrong.get(guess, now()) !== undefined) return
      const missing = missingTries(key)
      if (missing >= mostInARow) throw tooMany(missing)
      wrong.set(guess, true, now() + rememberedForMs)
      // At the end again, so that the order is that of the last try.
      forgivenAtMs.delete(key)
      forgivenAtMs.set(key, now() + (missing + 1) * everyMs)
      forget()
    },
  }
}

function tooMany(missing: number): Problem {
  const retryAfterSeconds = Math.max(1, Math.ceil(((missing - mostInARow + 1) * everyMs) / 1000))
  return new Problem(
    'rate_limited',
    `Too many wrong tokens came from this address. Try again in ${retryAfterSeconds} ${retryAfterSeconds === 1 ? 'second' : 'seconds'}, with a token that is right.`,
    { retryAfterSeconds },
  )
}
