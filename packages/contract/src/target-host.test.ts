import { expect, test } from 'vitest'
import { coversTarget, hostnameOfTarget, proofPlaces, readTargetHost, targetHostOf } from './target-host.ts'

test.each([
  ['shop.example.com', 'shop.example.com'],
  ['SHOP.Example.com.', 'shop.example.com'],
  ['shop.example.com:80', 'shop.example.com'],
  ['shop.example.com:443', 'shop.example.com'],
  ['shop.example.com:8443', 'shop.example.com:8443'],
  ['*.example.com', '*.example.com'],
  ['bücher.example', 'xn--bcher-kva.example'],
  ['2130706433', '127.0.0.1'],
  ['0x7f.1:3000', '127.0.0.1:3000'],
  ['017700000001', '127.0.0.1'],
  ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ['[::1]:3000', '[::1]:3000'],
])('%s is the host %s', (text, host) => {
  expect(readTargetHost(text)).toBe(host)
  expect(readTargetHost(host)).toBe(host)
})

test.each([
  '',
  '.',
  'https://shop.example.com',
  'shop.example.com/path',
  'shop.example.com?x',
  'shop.example.com#x',
  'user@shop.example.com',
  'shop example.com',
  'shop.example.com:99999',
  '999.1.1.1',
  '*',
  '*.',
  'a.*.example.com',
  '*.*.example.com',
  '*.example.com:8443',
  '*.10.0.0.1',
  '*.[::1]',
])('%j is no host', (text) => {
  expect(readTargetHost(text)).toBeUndefined()
})

test('targetHostOf() puts host and port together', () => {
  expect(targetHostOf('shop.example.com', 443)).toBe('shop.example.com')
  expect(targetHostOf('::1', 3000)).toBe('[::1]:3000')
  expect(targetHostOf('[::1]', 80)).toBe('[::1]')
})

test('hostnameOfTarget() leaves the port out', () => {
  expect(hostnameOfTarget('shop.example.com:8443')).toBe('shop.example.com')
  expect(hostnameOfTarget('[::1]:3000')).toBe('[::1]')
  expect(hostnameOfTarget('[::1]')).toBe('[::1]')
})

test.each([
  ['shop.example.com', true],
  ['shop.example.com:8443', false],
  ['www.shop.example.com', false],
  ['a.wild.example', true],
  ['a.b.wild.example', true],
  ['wild.example', false],
  ['notwild.example', false],
  ['a.wild.example:8443', false],
])('of shop.example.com and *.wild.example, %s is covered: %s', (host, expected) => {
  expect(coversTarget(new Set(['shop.example.com', '*.wild.example']), host)).toBe(expected)
})

test.each<[string, string[], string | null]>([
  [
    'shop.example.com:8443',
    ['https://shop.example.com:8443', 'http://shop.example.com:8443'],
    '_flamegate.shop.example.com',
  ],
  ['*.example.com', [], '_flamegate.example.com'],
  ['192.0.2.1', ['https://192.0.2.1', 'http://192.0.2.1'], null],
  ['[2001:db8::1]', ['https://[2001:db8::1]', 'http://[2001:db8::1]'], null],
])('%s is proved at %j, or by %s', (host, origins, dnsName) => {
  const fileUrls = origins.map((origin) => `${origin}/.well-known/flamegate-verification.txt`)
  expect(proofPlaces(host)).toEqual({ fileUrls, dnsName })
})
