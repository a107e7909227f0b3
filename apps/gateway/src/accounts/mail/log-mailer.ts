import type { Logger } from '@flamegate/runtime'
import type { Mailer } from './mailer.ts'

/** For where no mail server is set: whoever runs the platform finds the links in its log, and hands them on. */
export function logMailer(log: Pick<Logger, 'info'>): Mailer {
  return {
    reachesPeople: false,
    send({ to, subject, text }) {
      log.info(`Mail to ${to}, not sent because SMTP_URL is not set: ${subject}\n${text}`)
    },
    close: () => Promise.resolve(),
  }
}
