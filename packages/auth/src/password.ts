import { hash, verify } from '@node-rs/argon2'

/** In characters. The upper limit bounds the work that a stranger can ask for. */
export const passwordLength = { min: 8, max: 200 } as const

// Argon2id (the library's default) with the first choice of the OWASP Password Storage Cheat Sheet:
// 19 MiB, 2 passes, 1 lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const

/** A hash with the same parameters that no password is known for, so that an unknown person costs the same time. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$dATRAxnJrrgUTQ9966OCLw$mxl5DwJq9Uuxo195XiCzVqeiDPQJy9SCKvJK0TgOGII'

/** The encoded Argon2id hash of a password, parameters and salt included. */
export async function hashPassword(password: string): Promise<string> {
  const { length } = password
  if (length < passwordLength.min || length > passwordLength.max) {
    throw new RangeError(`A password has ${passwordLength.min} to ${passwordLength.max} characters`)
  }
  return hash(canonical(password), parameters)
}

/**
 * Whether `password` is the one behind `passwordHash`. Without a hash (nobody has that e-mail) it takes as long
 * as with one and says no.
 */
export async function verifyPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  if (password.length > passwordLength.max) return false
  const matches = await verify(passwordHash ?? nobodysHash, canonical(password))
  return matches && passwordHash !== undefined
}

/** One form for what different keyboards write in different ways (NIST SP 800-63B, 3.1.1.2). */
function canonical(password: string): string {
  return password.normalize('NFKC')
}
