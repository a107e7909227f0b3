import { mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { LinkClaims } from './signed-link.ts'

/** Remembers which links have been used, until they would have expired anyway. Survives restarts. */
export interface UsedLinks {
  has(claims: LinkClaims): Promise<boolean>
  /** False when it was there already: of several at once, one gets true. */
  add(claims: LinkClaims): Promise<boolean>
}

const sweepEveryMs = 3_600_000

/** One empty file per link, `<expiry>.<nonce>`. */
export async function openUsedLinks(dir: string): Promise<UsedLinks> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  let sweptAt = 0
  const pathOf = (claims: LinkClaims) => join(dir, `${claims.expiresAtS}.${claims.nonce}`)
  return {
    has: (claims) =>
      stat(pathOf(claims)).then(
        () => true,
        () => false,
      ),
    async add(claims) {
      const isNew = await createEmpty(pathOf(claims))
      if (Date.now() - sweptAt < sweepEveryMs) return isNew
      sweptAt = Date.now()
      const expired = (await readdir(dir)).filter((name) => Number.parseInt(name, 10) * 1_000 < Date.now())
      await Promise.all(expired.map((name) => rm(join(dir, name), { force: true })))
      return isNew
    },
  }
}

async function createEmpty(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600)
    await file.close()
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
