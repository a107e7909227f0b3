import { expect, test } from 'vitest'
import { z } from 'zod'
import { readConfig } from './config.ts'
import { masterKeySettings, publicUrlSetting, serverSettings, storageSettings } from './settings.ts'

const settings = z.object({
  ...serverSettings(4170),
  ...storageSettings,
  ...masterKeySettings,
  FLAMEGATE_PUBLIC_URL: publicUrlSetting.optional(),
})

test.each([
  ['https://example.com/flamegate', 'https://example.com'],
  ['https://Example.com', 'https://example.com'],
  ['https://example.com:443', 'https://example.com'],
  ['http://ada:hush@localhost:4170/', 'http://localhost:4170'],
  ['https://example.com?from=mail', 'https://example.com'],
])('a public URL that no issuer can be is refused, with the origin that can: %s', (url, origin) => {
  expect(() => readConfig(settings, { FLAMEGATE_PUBLIC_URL: url })).toThrow(
    `FLAMEGATE_PUBLIC_URL is ${JSON.stringify(url)}. It takes nothing but an origin, such as ${origin}. Set it to a URL.`,
  )
})

test.each(['https://example.com', 'https://example.com/', 'http://localhost:4170', 'http://[::1]:4170'])(
  'a public URL may be %s',
  (url) => {
    const { FLAMEGATE_PUBLIC_URL } = readConfig(settings, { FLAMEGATE_PUBLIC_URL: url })
    expect(FLAMEGATE_PUBLIC_URL).toBe(url.replace(/\/$/, ''))
  },
)

test('what is no URL at all is told as ever', () => {
  expect(() => readConfig(settings, { FLAMEGATE_PUBLIC_URL: 'nowhere' })).toThrow(
    'FLAMEGATE_PUBLIC_URL is "nowhere". Set it to a URL.',
  )
})

test.each([
  [{ FLAMEGATE_METRICS_TOKEN: 'short' }, 'Set it to text of at least 16 characters'],
  [{ S3_BUCKET: 'ab' }, 'Set it to text of 3 to 63 characters'],
  [{ FLAMEGATE_VAULT_KEY: 'flamegate' }, 'Set it to text such as transit/flamegate'],
])('what is too short, or lacks a part, is told with what is wanted: %j', (wrong, words) => {
  expect(() => readConfig(settings, wrong)).toThrow(words)
})
