import { mailServerOf, type Logger } from '@flamegate/runtime'
import type { AccountSettings } from '../account-settings.ts'
import { logMailer } from './log-mailer.ts'
import type { Mailer } from './mailer.ts'
import { smtpMailer } from './smtp-mailer.ts'

/** The mail server of the settings, or the log. */
export function openMailer(config: AccountSettings, publicUrl: string, log: Logger): Mailer {
  const server = mailServerOf(config, publicUrl)
  return server === undefined ? logMailer(log) : smtpMailer(server, log)
}
