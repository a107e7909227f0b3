import { createServer } from 'node:http'
import { once } from 'node:events'
import { Agent, request } from 'undici'
import { describe, expect, test } from 'vitest'
import type { Resolver } from './address-policy.ts'
import { allowedTargets } from './allowed-targets.ts'
import { OutboundRefused, type RefusalReason } from './outbound-refused.ts'
import { createTargetGate, type TargetGate } from './target-gate.ts'

const publicAddress = '93.184.216.34'

/** Gives one answer after the other, and the last one from then on. */
function answers(...addresses: string[][]): Resolver & { asked: string[] } {
  const asked: string[] = []
  const resolve: Resolver = async (hostname) => {
    const now = addresses[Math.min(asked.length, addresses.length - 1)] ?? []
    asked.push(hostname)
    return now.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }))
  }
  return Object.assign(resolve, { asked })
}

function gate(options: { allowed?: string[]; verified?: string[]; resolve?: Resolver } = {}): TargetGate {
  const verified = new Set(options.verified ?? ['shop.example.com'])
  return createTargetGate({
    allowed: allowedTargets(options.allowed ?? []),
    isVerified: (host) => verified.has(host),
    resolve: options.resolve ?? answers([publicAddress]),
  })
}

const open = (resolve: Resolver, allowed: string[] = []) =>
  createTargetGate({ allowed: allowedTargets(allowed), isVerified: () => true, resolve })
const unknown: Resolver = () => Promise.reject(new Error('ENOTFOUND'))

async function refusal(work: Promise<unknown>): Promise<RefusalReason | 'not refused'> {
  try {
    await work
    return 'not refused'
  } catch (error) {
    if (error instanceof OutboundRefused) return error.reason
    throw error
  }
}

test('a verified host on the public internet is resolved once, and its addresses are told', async () => {
  const resolve = answers([publicAddress, '2606:2800:220:1:248:1893:25c8:1946'])
  expect(await gate({ resolve }).resolve('shop.example.com', 443)).toEqual([
    { address: publicAddress, family: 4 },
    { address: '2606:2800:220:1:248:1893:25c8:1946', family: 6 },
  ])
  expect(resolve.asked).toEqual(['shop.example.com'])
})

test('any other host, port and subdomain is refused without a look-up', async () => {
  const resolve = answers([publicAddress])
  const { resolve: ask } = gate({ resolve, verified: ['shop.example.com', 'api.example.com:8443'] })
  expect(await refusal(ask('ads.example.com', 443))).toBe('target_not_verified')
  expect(await refusal(ask('www.shop.example.com', 443))).toBe('target_not_verified')
  expect(await refusal(ask('shop.example.com', 22))).toBe('target_not_verified')
  expect(await refusal(ask('api.example.com', 443))).toBe('target_not_verified')
  expect(await refusal(ask('shop.example.com@evil.example', 443))).toBe('invalid_url')
  expect(await refusal(ask('shop.example.com/../evil', 443))).toBe('invalid_url')
  expect(resolve.asked).toEqual([])
  expect(await refusal(ask('api.example.com', 8443))).toBe('not refused')
  expect(await refusal(ask('SHOP.example.com.', 80))).toBe('not refused')
})

describe('also where everything counts as verified, no address of the inside is given', () => {
  test.each([
    ['127.0.0.1', 'loopback'],
    ['2130706433', 'decimal'],
    ['0x7f000001', 'hexadecimal'],
    ['017700000001', 'octal'],
    ['0177.0.0.1', 'octal in parts'],
    ['127.1', 'short'],
    ['①②⑦.0.0.1', 'circled digits'],
    ['10.0.0.1', 'private'],
    ['100.64.0.1', 'carrier-grade NAT'],
    ['169.254.169.254', 'metadata'],
    ['0.0.0.0', 'unspecified'],
    ['224.0.0.1', 'multicast'],
    ['::1', 'loopback of version 6'],
    ['[::]', 'unspecified of version 6'],
    ['::ffff:127.0.0.1', 'mapped'],
    ['[::ffff:a00:1]', 'mapped, hexadecimal'],
    ['::127.0.0.1', 'compatible'],
    ['64:ff9b::127.0.0.1', 'NAT64'],
    ['2002:7f00:1::', '6to4'],
    ['fd00:ec2::254', 'unique local'],
    ['fe80::1', 'link-local'],
    ['ff02::1', 'multicast of version 6'],
  ])('%s as the host (%s)', async (host) => {
    const resolve = answers([publicAddress])
    expect(await refusal(open(resolve).resolve(host, 80))).toBe('address_not_allowed')
    expect(resolve.asked).toEqual([])
  })

  test.each([
    '127.0.0.1',
    '10.0.0.1',
    '169.254.169.254',
    '::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::a00:1',
    '2002:a00:1::',
    'fd00::1',
  ])('a name that resolves to %s, also next to a public address', async (address) => {
    expect(await refusal(open(answers([address])).resolve('shop.example.com', 80))).toBe(
      'address_not_allowed',
    )
    expect(await refusal(open(answers([publicAddress, address])).resolve('shop.example.com', 80))).toBe(
      'address_not_allowed',
    )
  })

  test('but for what the configuration names, and only that', async () => {
    const allowed = ['10.1.0.0/16', '127.0.0.1']
    expect(await open(answers(['10.1.2.3']), allowed).resolve('shop.example.com', 80)).toEqual([
      { address: '10.1.2.3', family: 4 },
    ])
    expect(await open(answers([]), allowed).resolve('2130706433', 80)).toEqual([
      { address: '127.0.0.1', family: 4 },
    ])
    expect(await refusal(open(answers(['10.2.0.1']), allowed).resolve('shop.example.com', 80))).toBe(
      'address_not_allowed',
    )
    expect(await refusal(open(answers([]), allowed).resolve('::ffff:127.0.0.1', 80))).toBe(
      'address_not_allowed',
    )
  })
})

test('what the configuration allows needs no proof', async () => {
  const asking = gate({
    allowed: ['localhost', '127.0.0.0/8'],
    verified: [],
    resolve: answers(['127.0.0.1']),
  })
  expect(await asking.resolve('localhost', 3000)).toEqual([{ address: '127.0.0.1', family: 4 }])
  expect(await asking.resolve('127.0.0.1', 3000)).toEqual([{ address: '127.0.0.1', family: 4 }])
  // An address that is allowed is not so under the name of somebody else.
  expect(await refusal(asking.resolve('loopback.example.com', 3000))).toBe('target_not_verified')
})

test('a name that is unknown is refused, and so is one that has no address', async () => {
  expect(await refusal(gate({ resolve: unknown }).resolve('shop.example.com', 80))).toBe('name_not_found')
  expect(await refusal(gate({ resolve: answers([]) }).resolve('shop.example.com', 80))).toBe('name_not_found')
})

test('a name whose address changes after the check is connected to where it was checked, and checked anew', async () => {
  const server = createServer((_request, response) => response.end('hello'))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const host = `shop.example.com:${port}`
  const resolve = answers(['127.0.0.1'], ['10.0.0.1'])
  const { resolve: ask } = gate({ allowed: ['127.0.0.0/8'], verified: [host], resolve })
  const [checked] = await ask('shop.example.com', port)
  const agent = new Agent({
    connect: {
      lookup: (_hostname, _options, callback) => callback(null, checked === undefined ? [] : [checked]),
    },
  })
  const answer = await request(`http://${host}/`, { dispatcher: agent })
  expect(await answer.body.text()).toBe('hello')
  expect(resolve.asked).toHaveLength(1)
  expect(await refusal(ask('shop.example.com', port))).toBe('address_not_allowed')
  await agent.close()
  server.close()
})

test('each hop of a redirect is asked for on its own', async () => {
  const resolve = answers([publicAddress], ['192.168.0.1'])
  const { resolve: ask } = gate({ verified: ['shop.example.com', 'cdn.example.com'], resolve })
  expect(await refusal(ask('shop.example.com', 443))).toBe('not refused')
  expect(await refusal(ask('cdn.example.com', 443))).toBe('address_not_allowed')
  expect(await refusal(ask('192.168.0.1', 80))).toBe('target_not_verified')
})
