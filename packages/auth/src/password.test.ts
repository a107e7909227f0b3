import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password.ts'

test('a password is recognised by its hash, another one is not', async () => {
  const hash = await hashPassword('correct horse')
  expect(await verifyPassword(hash, 'correct horse')).toBe(true)
  expect(await verifyPassword(hash, 'correct horsf')).toBe(false)
})

test('hashes are Argon2id with the parameters that OWASP names, and salted', async () => {
  const [first, second] = await Promise.all([hashPassword('correct horse'), hashPassword('correct horse')])
  expect(first).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(second).not.toBe(first)
})

test('the same letters from another keyboard are the same password', async () => {
  const composed = 'caf\u00e9 caf\u00e9'
  expect(await verifyPassword(await hashPassword(composed), composed.normalize('NFD'))).toBe(true)
})

test.each(['short', 'x'.repeat(201)])('%o is no password', async (password) => {
  await expect(hashPassword(password)).rejects.toThrow(RangeError)
})

test('nobody has the password of an unknown person, and finding out takes as long', async () => {
  const hash = await hashPassword('correct horse')
  const known = await fastestMs(() => verifyPassword(hash, 'something else'))
  const unknown = await fastestMs(() => verifyPassword(undefined, 'something else'))
  expect(await verifyPassword(undefined, 'correct horse')).toBe(false)
  // An Argon2 pass takes tens of milliseconds; leaving it out would give a thousandth of that.
  expect(unknown).toBeGreaterThan(known / 3)
})

async function fastestMs(run: () => Promise<unknown>): Promise<number> {
  return Math.min(await elapsedMs(run), await elapsedMs(run), await elapsedMs(run), await elapsedMs(run))
}

async function elapsedMs(run: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await run()
  return performance.now() - start
}
