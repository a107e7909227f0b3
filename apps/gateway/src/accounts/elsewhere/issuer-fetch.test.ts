import { OutboundRefused } from '@flamegate/runtime'
import { expect, test } from 'vitest'
import { issuerFetch } from './issuer-fetch.ts'

const get = { method: 'GET', headers: {}, body: null, redirect: 'manual' } as const

test.each([
  'https://127.0.0.1/token',
  'https://10.0.0.1/token',
  'https://169.254.169.254/latest',
  'http://id.example.com/token',
])('an issuer on the internet does not lead us to %s', async (url) => {
  await expect(issuerFetch('https://id.example.com')(url, get)).rejects.toThrow(OutboundRefused)
})

test('an issuer on this machine does not lead us into the network', async () => {
  await expect(issuerFetch('http://127.0.0.1:8080')('http://10.0.0.1/token', get)).rejects.toThrow(
    OutboundRefused,
  )
})
