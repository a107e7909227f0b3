import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ada, siteUrl, startAccounts, tokenIn } from './test-accounts.ts'

beforeEach(() => vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }))
afterEach(() => vi.useRealTimers())

const invitation = { email: ada.email, workspaceId: 'ws_1', role: 'member' as const }

test('whoever is invited gets one mail, joins from it, and needs a confirmed address for that', async () => {
  const { identity, mails, openBrowser } = await startAccounts({ mailsArrive: true })
  const { call } = openBrowser()
  identity.addInvitation('hash', invitation)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(mails).toMatchObject([{ to: ada.email, text: expect.stringContaining('host@example.com invites') }])
  const id = new RegExp(`${siteUrl}/join\\?invitation=(\\S+)`).exec(mails[0]?.text ?? '')?.[1]
  const user = { id: 'usr_eve', email: ada.email, name: 'Eve', passwordHash: null }
  await identity.createUser(user, { id: 'ws_2', slug: 'eve', name: 'Eve' })
  expect(await identity.acceptInvitation('usr_eve', { id: id ?? '' })).toBeUndefined()

  await call('POST', '/auth/sign-up', ada)
  await call('POST', '/auth/verify-email', { token: tokenIn(mails.at(-1)) })
  await call('POST', '/auth/log-in', { email: ada.email, password: ada.password })
  expect(await call('POST', '/auth/join', {})).toMatchObject({ status: 400 })
  const join = () => call('POST', '/auth/join', { invitation_id: id })
  expect(await join()).toMatchObject({ status: 200, body: { joined_workspace_id: 'ws_1' } })
  expect((await join()).status).toBe(404)
})

test('without a mail server nobody is written to: the link is handed on', async () => {
  const { identity, mails } = await startAccounts()
  identity.addInvitation('hash', invitation)
  await vi.advanceTimersByTimeAsync(15_000)
  expect(mails).toEqual([])
})
