import { expect, test } from 'vitest'
import { hashSecret, newSecret } from './secret.ts'

test('newSecret() gives 256 bits behind its prefix, another one every time', () => {
  const secrets = new Set(Array.from({ length: 100 }, () => newSecret('fg_')))
  expect(secrets.size).toBe(100)
  for (const secret of secrets) expect(secret).toMatch(/^fg_[A-Za-z0-9_-]{43}$/)
})

test('hashSecret() is hex SHA-256', () => {
  expect(hashSecret('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
