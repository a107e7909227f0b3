import type { Logger } from '@flamegate/runtime'
import { createTransport } from 'nodemailer'
import type { Mail, Mailer } from './mailer.ts'

export interface SmtpOptions {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string
  /** `Name <address>` or an address. */
  from: string
  log: Pick<Logger, 'error'>
}

const timeoutMs = 20_000

/** Sends through a mail server, over a few connections that are kept open between mails. */
export function smtpMailer({ url, from, log }: SmtpOptions): Mailer {
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 3,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    // Our letters are plain text; nothing in them may name a file or an address to be read.
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const underWay = new Set<Promise<void>>()

  async function deliver({ to, subject, text }: Mail): Promise<void> {
    try {
      await transport.sendMail({ from, to: { name: '', address: to }, subject, text })
    } catch (err) {
      log.error({ err, subject }, 'a mail could not be sent')
    }
  }

  return {
    reachesPeople: true,
    send(mail) {
      const sending = deliver(mail).finally(() => underWay.delete(sending))
      underWay.add(sending)
    },
    async close() {
      await Promise.all(underWay)
      transport.close()
    },
  }
}
