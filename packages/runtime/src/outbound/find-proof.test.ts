import { once } from 'node:events'
import { createServer } from 'node:http'
import type { ServerResponse } from 'node:http'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { allowedTargets } from './allowed-targets.ts'
import { findProof, type ProofOptions } from './find-proof.ts'

let asked: string[] = []
let answer: (response: ServerResponse) => void = (response) => response.end('token')
const server = createServer((request, response) => {
  asked.push(request.url ?? '')
  answer(response)
})
let host = ''
beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  host = `shop.example.com:${typeof address === 'object' ? address?.port : ''}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  asked = []
  answer = (response) => response.end('token\n')
})

const noRecord = () => Promise.reject(new Error('ENOTFOUND'))
const here: ProofOptions = {
  allowed: allowedTargets(['127.0.0.1']),
  resolve: async () => [{ address: '127.0.0.1', family: 4 }],
  resolveTxt: noRecord,
}

test('the token in the file of the host is a proof', async () => {
  expect(await findProof(host, 'token', here)).toEqual({ method: 'file' })
  expect(asked).toEqual(['/.well-known/flamegate-verification.txt'])
})

test('the token in the TXT record of the host is a proof, also in several pieces', async () => {
  answer = (response) => response.writeHead(404).end()
  const names: string[] = []
  const resolveTxt = async (name: string) => {
    names.push(name)
    return [['v=spf1 -all'], ['to', 'ken']]
  }
  expect(await findProof(host, 'token', { ...here, resolveTxt })).toEqual({ method: 'dns' })
  expect(names).toEqual(['_flamegate.shop.example.com'])
})

test('a wildcard is proved by the record above it, and not by a file', async () => {
  const names: string[] = []
  const resolveTxt = async (name: string) => {
    names.push(name)
    return [['token']]
  }
  expect(await findProof('*.example.com', 'token', { ...here, resolveTxt })).toEqual({ method: 'dns' })
  expect(names).toEqual(['_flamegate.example.com'])
  expect(await findProof('*.example.com', 'token', here)).toEqual({
    failure: 'There is no TXT record _flamegate.example.com.',
  })
  expect(asked).toEqual([])
})

test.each<[string, (response: ServerResponse) => void, string]>([
  ['another text', (response) => response.end('token and more'), 'has something else in it.'],
  ['a page that is not there', (response) => response.writeHead(404).end('token'), 'answered 404.'],
  [
    'a redirect, also to the token',
    (response) => response.writeHead(302, { location: '/elsewhere' }).end('token'),
    'answered 302.',
  ],
  ['an endless text', (response) => response.end('token'.repeat(10_000)), 'is larger than'],
])('%s is none, and is told', async (_what, serve, told) => {
  answer = serve
  const proof = await findProof(host, 'token', here)
  expect(proof).toEqual({ failure: expect.stringContaining(told) })
  expect(proof).toEqual({ failure: expect.stringContaining('There is no TXT record _flamegate.shop.') })
})

test('a host of the inside is not asked, unless the configuration names it', async () => {
  const proof = await findProof(host, 'token', { ...here, allowed: allowedTargets([]) })
  expect(proof).toEqual({ failure: expect.stringContaining('not on the public internet') })
  expect(asked).toEqual([])
})
