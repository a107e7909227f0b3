import type { Claim, RateLimiter } from '@flamegate/operations/ports'
import { afterEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createOAuthLimits } from './oauth-limits.ts'
import {
  connect,
  openBrowser,
  refresh,
  register,
  registerClient,
  requestAuthorization,
  startTestSite,
} from './test-site.ts'
import type { TestSite } from './test-site.ts'

/** As the real ones count, with a clock that stands until it is moved. */
class StandingLimiter implements RateLimiter {
  nowMs = 0
  readonly #fullAtMs = new Map<string, number>()

  take({ cost, buckets }: Claim) {
    const missing = buckets.map(({ key }) => Math.max(0, (this.#fullAtMs.get(key) ?? 0) - this.nowMs))
    const waits = buckets.map(
      ({ perSecond, capacity }, index) => (missing[index] ?? 0) + ((cost - capacity) * 1000) / perSecond,
    )
    const retryAfterMs = Math.max(0, ...waits)
    const isTaken = retryAfterMs < 0.5
    const limits = buckets.map(({ name, key, capacity, perSecond }, index) => {
      const missingMs = (missing[index] ?? 0) + (isTaken ? (cost * 1000) / perSecond : 0)
      this.#fullAtMs.set(key, this.nowMs + missingMs)
      const remaining = Math.floor(capacity - (missingMs * perSecond) / 1000 + 0.001)
      const moreInSeconds = Math.ceil(Math.min(missingMs, 1000 / perSecond) / 1000)
      return { name, quota: capacity, windowSeconds: undefined, remaining, moreInSeconds, fullInSeconds: 0 }
    })
    return { refusedBy: isTaken ? undefined : ('client' as const), retryAfterMs, limits }
  }

  release() {}
}

describe('of the usual size', () => {
  test('50 clients behind one address, each with 3 refreshes at once every 20 s, are never refused', async () => {
    for (const isShared of [true, false]) {
      const counting = new StandingLimiter()
      const limits = createOAuthLimits({ limiter: counting, factor: 1 })
      for (let round = 0; round < 200; round += 1) {
        for (let client = 0; client < 50; client += 1) {
          const requester = { clientId: isShared ? 'shared' : `client-${client}`, address: '192.0.2.1' }
          for (let one = 0; one < 3; one += 1) expect(await limits.token(requester)).toBeUndefined()
        }
        counting.nowMs += 20_000
      }
    }
  })

  test('requests that fail use up what there is sooner, and only for that client', async () => {
    const limits = createOAuthLimits({ limiter: new StandingLimiter(), factor: 1 })
    const lasts = async (clientId: string, fails: boolean) => {
      const requester = { clientId, address: '192.0.2.1' }
      for (let count = 0; count < 1_000; count += 1) {
        if ((await limits.token(requester)) !== undefined) return count
        if (fails) await limits.failedToken(requester)
      }
      return Infinity
    }
    expect([await lasts('bad', true), await lasts('good', false)]).toEqual([300, 600])
  })

  test('made-up names of clients are no way around it, nor are the addresses of one IPv6 network', async () => {
    const limits = createOAuthLimits({ limiter: new StandingLimiter(), factor: 1 })
    const wait = async (index: number) =>
      limits.token({ clientId: `made-up-${index}`, address: `2001:db8::${index.toString(16)}` })
    for (let index = 0; index < 600; index += 1) {
      expect(await wait(index)).toBeUndefined()
      await limits.failedToken({ clientId: `made-up-${index}`, address: '2001:db8::1' })
    }
    expect(await wait(601)).toBe(1)
    expect(await limits.token({ clientId: 'other', address: '2001:db8:1::1' })).toBeUndefined()
  })

  test('switched off, nothing is counted', async () => {
    const limits = createOAuthLimits(undefined)
    for (let index = 0; index < 2_000; index += 1) {
      expect(await limits.authorization('192.0.2.1')).toBeUndefined()
    }
  })
})

describe('when they are small', () => {
  let site: TestSite
  afterEach(() => site.close())
  async function requestToken(parameters: Record<string, string>, headers: Record<string, string> = {}) {
    const body = new URLSearchParams(parameters)
    return (await fetch(`${site.issuer}/oauth/token`, { method: 'POST', body, headers })).status
  }
  const start = async (factor: number) => {
    const limiter = new StandingLimiter()
    site = await startTestSite(undefined, { limits: { limiter, factor } })
    return limiter
  }

  test('a person who opens the log-in too often sees a page, a program reads it, and the next address is free', async () => {
    const limiter = await start(0.01)
    const { url } = requestAuthorization(site, await registerClient(site))
    const open = (headers: Record<string, string>) => fetch(url, { headers, redirect: 'manual' })
    const statuses = []
    for (let index = 0; index < 4; index += 1) statuses.push((await open({})).status)
    expect(statuses).toEqual([303, 303, 303, 429])
    const page = await open({ accept: 'text/html' })
    expect([page.headers.get('content-type'), Number(page.headers.get('retry-after'))]).toEqual([
      'text/html',
      50,
    ])
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(await page.text()).toContain('try again in 50 seconds')
    expect((await open({ 'x-forwarded-for': '192.0.2.7' })).status).toBe(303)
    limiter.nowMs += 50_000
    expect((await open({})).status).toBe(303)
  })

  test('a client that asks for tokens too often reads when to come back, and is then as good as before', async () => {
    const limiter = await start(0.01)
    const client = await registerClient(site)
    let tokens = await connect(site, client)
    for (let count = 1; count < 6; count += 1) tokens = await refresh(site, client, tokens)
    expect(tokens.status).toBe(200)
    const body = new URLSearchParams({ client_id: client.client_id, grant_type: 'refresh_token' })
    const refused = await fetch(`${site.issuer}/oauth/token`, { method: 'POST', body })
    expect([
      refused.status,
      refused.headers.get('retry-after'),
      refused.headers.get('cache-control'),
    ]).toEqual([429, '4', 'no-store'])
    expect(refused.headers.get('access-control-allow-origin')).toBe('*')
    expect(await refused.json()).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'Too many requests for tokens from your address. Try again in 4 seconds.',
    })
    const other = await registerClient(site, { ...client, client_name: 'Another agent' })
    expect((await refresh(site, other, tokens)).status).toBe(400)
    limiter.nowMs += 4_000
    expect((await refresh(site, client, tokens)).status).toBe(200)
  })

  test('failures count, however the client names itself', async () => {
    await start(0.01)
    const grant_type = 'client_credentials'
    for (const failing of [
      () => requestToken({ grant_type, client_id: 'unknown' }),
      () => requestToken({ grant_type }, { authorization: `Basic ${btoa('in-a-header:secret')}` }),
    ]) {
      const statuses = []
      for (let count = 0; count < 4; count += 1) statuses.push(await failing())
      expect(statuses).toEqual([401, 401, 401, 429])
    }
  })

  test('a program that waits for its person has not failed', async () => {
    await start(0.01)
    const cli = { client_id: 'flamegate-cli' }
    const poll = async () => {
      const started = await fetch(`${site.issuer}/oauth/device`, {
        method: 'POST',
        body: new URLSearchParams(cli),
      })
      const { device_code } = z.object({ device_code: z.string() }).parse(await started.json())
      const grant_type = 'urn:ietf:params:oauth:grant-type:device_code'
      return requestToken({ ...cli, grant_type, device_code })
    }
    const statuses = []
    for (let count = 0; count < 7; count += 1) statuses.push(await poll())
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429])
  })

  test('other requests are not counted among them', async () => {
    await start(0.01)
    for (let count = 0; count < 10; count += 1) {
      expect((await register(site, { redirect_uris: ['http://127.0.0.1/'] })).status).toBe(201)
      expect(
        (await openBrowser(site).visit('/.well-known/oauth-authorization-server')).response?.status,
      ).toBe(200)
    }
  })
})
