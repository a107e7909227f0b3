/** A short letter in plain text. */
export interface Mail {
  to: string
  subject: string
  text: string
}

/** What takes mails to people. */
export interface Mailer {
  /** Whether mails go out at all. When not, a link in one proves nothing about who reads the mail of an address. */
  reachesPeople: boolean
  /** Sends it in the background, so that no answer takes longer for a mail that was sent. What fails is logged. */
  send(mail: Mail): void
  /** Waits for what is under way. */
  close(): Promise<void>
}
