import { createTransport } from 'nodemailer'
import type { PostOutcome } from '../outbound/post-message.ts'

/** A short letter in plain text. */
export interface Letter {
  to: readonly string[]
  subject: string
  text: string
}

/** The mail server of the installation. */
export interface MailServer {
  /** @throws Error when it did not take the letter */
  send(letter: Letter): Promise<void>
  close(): void
}

const timeoutMs = 20_000

/** Sends through a mail server, over a few connections that are kept open between letters. Connects with the first one. */
export function openMailServer({
  url,
  from,
}: {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  url: string
  /** `Name <address>` or an address. */
  from: string
}): MailServer {
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
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ from, to: to.map((address) => ({ name: '', address })), subject, text })
    },
    close: () => transport.close(),
  }
}

/** The one of the settings; undefined where none is set. */
export function mailServerOf(
  config: { SMTP_URL?: string | undefined; FLAMEGATE_MAIL_FROM?: string | undefined },
  publicUrl: string,
): MailServer | undefined {
  const { SMTP_URL: url, FLAMEGATE_MAIL_FROM: from = `flamegate@${new URL(publicUrl).hostname}` } = config
  return url === undefined ? undefined : openMailServer({ url, from })
}

const taken = 250

/** Sends a letter, and tells what became of it without an error. */
export async function postMail(server: MailServer | undefined, letter: Letter): Promise<PostOutcome> {
  const startedAt = performance.now()
  const outcome = (status: number | null, text: string): PostOutcome => ({
    wasDelivered: status === taken,
    responseStatus: status,
    responseExcerpt: text,
    durationMs: Math.round(performance.now() - startedAt),
  })
  if (server === undefined)
    return outcome(null, 'This installation has no mail server: its operator can set SMTP_URL.')
  try {
    await server.send(letter)
    return outcome(taken, '')
  } catch (error) {
    // What a mail server says may name hosts inside our network; its status is enough to go by.
    const status = error instanceof Error ? Number(Reflect.get(error, 'responseCode')) : NaN
    return Number.isInteger(status)
      ? outcome(status, `The mail server refused it (${status}).`)
      : outcome(null, 'The mail server could not be reached.')
  }
}
