import { createAuthenticator, rotateKeys } from '@flamegate/auth'
import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import {
  ada,
  authorize,
  connect,
  exchange,
  openBrowser,
  readRedirect,
  refresh,
  registerClient,
  requestAuthorization,
  startTestSite,
  tryToken,
  webClient,
} from './test-site.ts'
import type { TestSite } from './test-site.ts'

let site: TestSite
// Only the calendar is false; the servers run on real timers.
beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  site = await startTestSite()
})
afterEach(async () => {
  vi.useRealTimers()
  await site.close()
})

const hourMs = 3_600_000

async function rotate(): Promise<void> {
  await rotateKeys(site.identity, new Date(Date.now() + hourMs))
}

async function publishedKids(): Promise<string[]> {
  const jwks = z.object({ keys: z.array(z.object({ kid: z.string() })) })
  const { keys } = jwks.parse(await (await fetch(`${site.issuer}/oauth/jwks`)).json())
  return keys.map(({ kid }) => kid)
}

/** A resource's view of a token, in a process that was started now. */
async function tryTokenElsewhere(token: string): Promise<string> {
  const { identity, issuer } = site
  const authenticator = await createAuthenticator({ identity, issuer, now: () => Date.now() })
  return tryToken({ ...site, authenticator }, token)
}

test('nobody is logged out by a rotation: tokens, log-ins and requests from before go on', async () => {
  const client = await registerClient(site, webClient)
  const browser = openBrowser(site)
  const before = await connect(site, client, {}, browser)
  const [oldKid] = await publishedKids()

  await rotate()
  const running = await refresh(site, client, before)
  expect(decodeProtectedHeader(running.access_token).kid).toBe(oldKid)

  await site.restart()
  expect(await publishedKids()).toEqual([oldKid, expect.any(String)])
  const known = await refresh(site, client, running)
  expect(decodeProtectedHeader(known.access_token).kid).toBe(oldKid)

  vi.setSystemTime(Date.now() + hourMs - 60_000)
  const late = await refresh(site, client, known)
  vi.setSystemTime(Date.now() + 120_000)
  await site.restart()
  const [newKid] = await publishedKids()
  expect(newKid).not.toBe(oldKid)
  expect(await tryTokenElsewhere(late.access_token)).toBe('read')
  const after = await refresh(site, client, late)
  expect(decodeProtectedHeader(after.access_token).kid).toBe(newKid)
  expect(await tryTokenElsewhere(after.access_token)).toBe('read')

  // The cookies of a browser that was here before the rotation, for a new request.
  const { url } = await browser.visit(requestAuthorization(site, client).url)
  expect(url.searchParams.get('code')).toEqual(expect.any(String))
})

test('a person who is just being asked can still answer after the restart that uses the new keys', async () => {
  const client = await registerClient(site)
  const browser = openBrowser(site)
  await browser.logIn(ada)
  await rotate()
  const request = requestAuthorization(site, client)
  const { url } = await browser.visit(request.url)
  expect(url.pathname).toMatch(/^\/consent\//)
  vi.setSystemTime(Date.now() + hourMs - 60_000)
  await site.restart()
  const uid = url.pathname.slice('/consent/'.length)
  const decision = await browser.call('POST', `/auth/interactions/${uid}/allow`, {})
  vi.setSystemTime(Date.now() + 50_000)
  await site.restart()
  const answer = await authorize(browser, await readRedirect(decision))
  expect(await exchange(site, client, request, answer)).toMatchObject({ status: 200 })
})

test('processes with the old and the new keys run side by side', async () => {
  const client = await registerClient(site)
  const tokens = await connect(site, client)
  await rotate()
  await site.restart()
  vi.setSystemTime(Date.now() + hourMs + 1_000)
  const other = await site.startAnother()
  const [here, there] = [await refresh(site, client, tokens), await refresh(site, client, tokens, {}, other)]
  expect(decodeProtectedHeader(here.access_token).kid).not.toBe(decodeProtectedHeader(there.access_token).kid)
  expect(here.refresh_token).toBe(there.refresh_token)
  for (const { access_token } of [here, there]) expect(await tryTokenElsewhere(access_token)).toBe('read')
})
