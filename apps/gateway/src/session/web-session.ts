import { hashSecret, newSecret, readCookie, sessionCookieName } from '@flamegate/auth'
import type { IdentityStore, Session } from '@flamegate/operations/ports'

/** A session and the `Set-Cookie` that puts it into the browser. */
interface StartedSession {
  setCookie: string
  expiresAt: Date
}

/** Sessions of the web pages: an opaque secret in a cookie, its hash in storage. */
export interface WebSessions {
  /** The session that a `Cookie` header belongs to. */
  find(cookieHeader: string | undefined): Promise<Session | undefined>
  /** The hash under which that session is stored. */
  hashOf(cookieHeader: string | undefined): string | undefined
  /** For somebody who has just proved who they are. */
  start(userId: string, userAgent: string | undefined, ssoWorkspaceId?: string): Promise<StartedSession>
  /** Lets a session that is past half of its time last as long as a new one; undefined when there is no need, or it has ended. */
  extend(cookieHeader: string | undefined, session: Session): Promise<StartedSession | undefined>
  /** Ends the session and gives the `Set-Cookie` that clears it. */
  end(cookieHeader: string | undefined): Promise<string>
}

const lifetimeMs = 30 * 86_400_000

/** @param siteUrl The public URL: over https the cookie is `Secure` and has the `__Host-` prefix. */
export function createWebSessions(
  identity: Pick<IdentityStore, 'createSession' | 'extendSession' | 'findSession' | 'removeSession'>,
  siteUrl: string,
  now: () => number = Date.now,
): WebSessions {
  const name = sessionCookieName(siteUrl)
  // Lax, so that a link from elsewhere (an agent's log-in page) arrives logged in; changing things needs more.
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${siteUrl.startsWith('https:') ? '; Secure' : ''}`

  const cookieOf = (secret: string) => `${name}=${secret}${attributes}; Max-Age=${lifetimeMs / 1000}`

  function hashOf(cookieHeader: string | undefined): string | undefined {
    const secret = readCookie(cookieHeader, name)
    return secret ? hashSecret(secret) : undefined
  }

  async function remove(cookieHeader: string | undefined): Promise<void> {
    const tokenHash = hashOf(cookieHeader)
    if (tokenHash !== undefined) await identity.removeSession(tokenHash)
  }

  return {
    async start(userId, userAgent = '', ssoWorkspaceId) {
      const secret = newSecret()
      const expiresAt = new Date(now() + lifetimeMs)
      await identity.createSession({
        tokenHash: hashSecret(secret),
        userId,
        expiresAt,
        userAgent: userAgent.slice(0, 300),
        provedAt: new Date(now()),
        ssoWorkspaceId,
      })
      return { setCookie: cookieOf(secret), expiresAt }
    },
    hashOf,
    async find(cookieHeader) {
      const tokenHash = hashOf(cookieHeader)
      return tokenHash === undefined ? undefined : identity.findSession(tokenHash)
    },
    async extend(cookieHeader, session) {
      const secret = readCookie(cookieHeader, name)
      if (!secret || session.expiresAt.getTime() - now() > lifetimeMs / 2) return undefined
      const expiresAt = new Date(now() + lifetimeMs)
      // The same session, and only if it is still there: one that was ended in between must not come back.
      const isExtended = await identity.extendSession(hashSecret(secret), expiresAt)
      return isExtended ? { setCookie: cookieOf(secret), expiresAt } : undefined
    },
    async end(cookieHeader) {
      await remove(cookieHeader)
      return `${name}=${attributes}; Max-Age=0`
    },
  }
}
