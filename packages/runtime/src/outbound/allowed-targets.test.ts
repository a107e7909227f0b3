import { describe, expect, test } from 'vitest'
import { allowedTargets } from './allowed-targets.ts'

const allowed = allowedTargets([
  'localhost',
  'staging.internal',
  '*.load.example',
  '127.0.0.0/8',
  '::1',
  '10.1.0.0/16',
  '192.168.7.7',
  'fd00:1::/32',
])

describe('hasHost()', () => {
  test.each([
    'localhost',
    'localhost:3000',
    'staging.internal:8443',
    'a.load.example',
    'a.b.load.example:8080',
    '127.0.0.1:4170',
    '[::1]:3000',
    '10.1.2.3',
    '192.168.7.7',
    '[fd00:1::7]',
  ])('%s may be aimed at', (host) => {
    expect(allowed.hasHost(host)).toBe(true)
  })

  test.each([
    'load.example',
    'www.staging.internal',
    'localhost.example.com',
    '10.2.0.1',
    '192.168.7.8',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    '[::]',
    '[fd00:2::7]',
    'example.com',
  ])('%s may not', (host) => {
    expect(allowed.hasHost(host)).toBe(false)
  })
})

describe('hasAddress()', () => {
  test.each([
    ['127.9.9.9', true],
    ['::1', true],
    ['0:0:0:0:0:0:0:1', true],
    ['10.1.255.255', true],
    ['10.2.0.0', false],
    ['::ffff:127.0.0.1', false],
    ['::127.0.0.1', false],
    ['fd00:1::1%eth0', false],
    ['localhost', false],
    ['', false],
  ])('%s: %s', (address, expected) => {
    expect(allowed.hasAddress(address)).toBe(expected)
  })
})

test('nothing is allowed where nothing is said', () => {
  const nothing = allowedTargets([])
  expect(nothing.hasHost('localhost')).toBe(false)
  expect(nothing.hasAddress('127.0.0.1')).toBe(false)
})

test.each([
  'https://shop.example.com',
  'shop.example.com:8443',
  '10.0.0.0/33',
  '10.0.0.0/',
  '10.0.0.0/x',
  '::/129',
  '*',
  'shop/8',
])('%s is refused, and named', (entry) => {
  expect(() => allowedTargets(['localhost', entry])).toThrow(entry)
})
