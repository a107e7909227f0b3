import { hashSecret, newSecret, readCookie } from '@flamegate/auth'
import type { Ticket, TicketPurpose, TicketStore } from '@flamegate/operations/ports'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Tickets that a browser holds as cookies while it goes through something in several steps. They tie the steps
 * together: nobody goes on with what was begun in another browser, and nothing is gone through twice.
 */
export interface BrowserTickets {
  hand(reply: FastifyReply, purpose: TicketPurpose, ticket: Ticket): Promise<void>
  find(request: FastifyRequest, purpose: TicketPurpose): Promise<Ticket | undefined>
  /** Uses it up. */
  take(request: FastifyRequest, reply: FastifyReply, purpose: TicketPurpose): Promise<Ticket | undefined>
}

const goodForMs = 600_000

/** @param siteUrl The public URL: over https the cookies are `Secure` and have the `__Host-` prefix. */
export function createBrowserTickets(
  tickets: TicketStore,
  siteUrl: string,
  now: () => number,
): BrowserTickets {
  const isSecure = siteUrl.startsWith('https:')
  const nameOf = (purpose: TicketPurpose) => `${isSecure ? '__Host-' : ''}fg_${purpose}`
  // Lax, because another service sends people back here with a link.
  const attributes = `; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  const secretIn = ({ headers }: FastifyRequest, purpose: TicketPurpose) =>
    readCookie(headers.cookie, nameOf(purpose))

  return {
    async hand(reply, purpose, ticket) {
      const secret = newSecret()
      const expiresAt = new Date(now() + goodForMs)
      await tickets.add({ ...ticket, purpose, secretHash: hashSecret(secret), expiresAt })
      reply.header('set-cookie', `${nameOf(purpose)}=${secret}${attributes}; Max-Age=${goodForMs / 1000}`)
    },
    async find(request, purpose) {
      const secret = secretIn(request, purpose)
      return secret ? tickets.find(hashSecret(secret), purpose) : undefined
    },
    async take(request, reply, purpose) {
      const secret = secretIn(request, purpose)
      if (!secret) return undefined
      reply.header('set-cookie', `${nameOf(purpose)}=${attributes}; Max-Age=0`)
      return tickets.take(hashSecret(secret), purpose)
    },
  }
}
