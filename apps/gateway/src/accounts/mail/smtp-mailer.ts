import type { Logger, MailServer } from '@flamegate/runtime'
import type { Mail, Mailer } from './mailer.ts'

/** Sends through a mail server. */
export function smtpMailer(server: MailServer, log: Pick<Logger, 'error'>): Mailer {
  const underWay = new Set<Promise<void>>()

  async function deliver({ to, subject, text }: Mail): Promise<void> {
    try {
      await server.send({ to: [to], subject, text })
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
      server.close()
    },
  }
}
