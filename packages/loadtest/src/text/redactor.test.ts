import { assert, property, string } from 'fast-check'
import { expect, test } from 'vitest'
import { redacted, Redactor } from './redactor.ts'

const secret = 's3cr&t "päss"/+word'

test('a secret is found as it is, and as requests encode it', () => {
  const redactor = new Redactor([secret])
  const forms = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ x: secret }).toString().slice(2),
    JSON.stringify(secret).slice(1, -1),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
  ]
  for (const form of forms) expect(redactor.redact(`a ${form} b`)).toBe(`a ${redacted} b`)
})

test('a secret is found in base64, wherever in it it stands', () => {
  assert(
    property(string({ maxLength: 8 }), string({ maxLength: 8 }), (before, after) => {
      const redactor = new Redactor(['correct horse battery'])
      for (const encoding of ['base64', 'base64url'] as const) {
        const shown = redactor.redact(
          Buffer.from(`${before}correct horse battery${after}`).toString(encoding),
        )
        expect(Buffer.from(shown.replaceAll(redacted, ''), encoding).toString()).not.toMatch(
          /corre|horse|atter/,
        )
        expect(shown).toContain(redacted)
      }
    }),
  )
})

test('a secret at a cut is not told in part', () => {
  const text = `${'x'.repeat(10)}${secret}`
  for (let cut = 1; cut < text.length; cut++)
    expect(new Redactor([secret]).redactStart(text, cut).replaceAll(/x/g, '')).toMatch(/^•{0,3}$/)
})

test('what is left of a secret in front of a cut is not told, however much it is', () => {
  const redactor = new Redactor([secret])
  for (let left = 3; left < secret.length; left++) {
    const told = redactor.redact(`got "say ${secret.slice(0, left)}…" and "other…"`)
    expect(told).toBe(`got "say ${redacted}…" and "other…"`)
  }
})
