import { createMemoryIdentity } from '@flamegate/auth/testing'
import type { MemoryIdentity } from '@flamegate/auth/testing'
import { Problem } from '@flamegate/contract'
import fastify from 'fastify'
import { createWebSessions } from '../session/web-session.ts'
import type { AccountsOptions } from './account-context.ts'
import { accountRoutes } from './account-routes.ts'
import type { Mail, Mailer } from './mail/mailer.ts'

export const ada = { name: 'Ada Lovelace', email: 'ada@example.com', password: 'correct horse' }
export const bob = { name: 'Bob Martin', email: 'bob@example.com', password: 'battery staple' }
export const siteUrl = 'https://flamegate.example'

/** An answer as a page sees it. */
export interface Answer {
  status: number
  /** `Set-Cookie`, as they came. */
  cookies: string[]
  location: string | undefined
  body: unknown
}

/** A browser with cookies and without a screen, at some address. */
export interface TestBrowser {
  /** Calls as a page of the site does. */
  call: (
    method: 'GET' | 'HEAD' | 'POST' | 'PATCH' | 'DELETE',
    url: string,
    payload?: object,
    headers?: object,
  ) => Promise<Answer>
  cookie: (name: string) => string | undefined
  forgetCookies: () => void
}

/** The account routes with a memory identity and a clock that stands still. */
export interface TestAccounts {
  identity: MemoryIdentity
  /** What was sent. */
  mails: Mail[]
  openBrowser: (address?: string) => TestBrowser
  /** Lets the clock go on. */
  pass: (ms: number) => void
  now: () => number
}

/** @param changes With `mailsArrive`, as where a mail server is set. */
export async function startAccounts(
  changes: Partial<AccountsOptions> & { mailsArrive?: boolean } = {},
): Promise<TestAccounts> {
  const { mailsArrive = false, ...options } = changes
  const site = options.siteUrl ?? siteUrl
  let nowMs = Date.UTC(2026, 10, 20)
  const now = () => nowMs
  const identity = createMemoryIdentity(now)
  const sessions = createWebSessions(identity, site, now)
  const mails: Mail[] = []
  const mailer: Mailer = {
    reachesPeople: mailsArrive,
    send: (mail) => mails.push(mail),
    close: () => Promise.resolve(),
  }
  const app = fastify()
  app.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof Problem)) return reply.send(error)
    return reply.code(error.status).send(error.toDetails('/problems'))
  })
  await app.register(accountRoutes({ identity, sessions, siteUrl: site, mailer, now, ...options }))

  function openBrowser(address = '192.0.2.1'): TestBrowser {
    const jar = new Map<string, string>()
    return {
      async call(method, url, payload, headers = {}) {
        const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
        const response = await app.inject({
          method,
          url,
          payload,
          remoteAddress: address,
          headers: { cookie, origin: site, ...headers },
        })
        const cookies = [response.headers['set-cookie'] ?? []].flat()
        for (const line of cookies) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
          if (line.includes('Max-Age=0')) jar.delete(name)
          else jar.set(name, value)
        }
        const { location } = response.headers
        const body = response.body === '' ? '' : response.json<unknown>()
        return { status: response.statusCode, cookies, location, body }
      },
      cookie: (name) => jar.get(name),
      forgetCookies: () => jar.clear(),
    }
  }

  return { identity, mails, openBrowser, now, pass: (ms) => void (nowMs += ms) }
}

/** The secret in the link of a mail. */
export function tokenIn(mail: Mail | undefined): string {
  return /[?]token=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? ''
}
