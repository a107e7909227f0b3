/** Keys by id. `current` signs; any of them verifies, so that a new key can be added while old signatures live. */
export interface KeyRing<Key> {
  current(): { kid: string; key: Key }
  /** Looks again in storage, at most once in five seconds, when the id is new: another process may have rotated. */
  find(kid: string): Promise<Key | undefined>
}

const reloadAfterMs = 5_000

/** `load` gives the keys with the one in use first. */
export async function createKeyRing<Key>(
  load: () => Promise<{ kid: string; key: Key }[]>,
  now: () => number = Date.now,
): Promise<KeyRing<Key>> {
  let keys = await load()
  let loadedAtMs = now()
  return {
    current() {
      const [first] = keys
      if (!first) throw new RangeError('There is no key to sign with')
      return first
    },
    async find(kid) {
      const known = keys.find((entry) => entry.kid === kid)
      if (known) return known.key
      if (now() - loadedAtMs < reloadAfterMs) return undefined
      loadedAtMs = now()
      keys = await load()
      return keys.find((entry) => entry.kid === kid)?.key
    },
  }
}
