import { openMailServer } from '@flamegate/runtime'
import { SMTPServer } from 'smtp-server'
import { afterEach, expect, test } from 'vitest'
import { portOf } from '../test-port.ts'
import { logMailer } from './log-mailer.ts'
import { smtpMailer } from './smtp-mailer.ts'

const mail = { to: 'ada@example.com', subject: 'Grüße', text: 'Confirm it:\n\nhttps://flamegate.example/x\n' }
let close = () => {}
afterEach(() => close())

/** A mail server that keeps what it is given, for one user. */
async function startMailServer(): Promise<{ url: string; received: string[] }> {
  const received: string[] = []
  const server = new SMTPServer({
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth({ username, password }, _session, done) {
      if (username === 'flamegate' && password === 'hush') done(null, { user: username })
      else done(new Error('Who is that?'))
    },
    onData(stream, { envelope }, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        const to = envelope.rcptTo.map(({ address }) => address).join()
        received.push(`${from} -> ${to}\n${Buffer.concat(chunks).toString()}`)
        done()
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await new Promise((resolve) => listening.once('listening', resolve))
  close = () => server.close()
  return { url: `smtp://flamegate:hush@127.0.0.1:${portOf(server.server)}`, received }
}

test('a mail goes out in plain text, and closing waits for it', async () => {
  const { url, received } = await startMailServer()
  const errors: unknown[] = []
  const log = { error: (fields: unknown) => errors.push(fields) }
  const mailer = smtpMailer(openMailServer({ url, from: 'Flamegate <flamegate@flamegate.example>' }), log)
  mailer.send(mail)
  await mailer.close()
  expect(errors).toEqual([])
  expect(received).toHaveLength(1)
  expect(received[0]).toMatch(/^flamegate@flamegate\.example -> ada@example\.com\n/)
  expect(received[0]).toMatch(/\nFrom: Flamegate <flamegate@flamegate\.example>\r\n/)
  expect(received[0]).toMatch(/\r\nContent-Type: text\/plain; charset=utf-8\r\n/)
  expect(received[0]).toContain('https://flamegate.example/x')
})

test('an address cannot bring other recipients or headers with it', async () => {
  const { url, received } = await startMailServer()
  const errors: unknown[] = []
  const log = { error: (fields: unknown) => errors.push(fields) }
  const mailer = smtpMailer(openMailServer({ url, from: 'flamegate@flamegate.example' }), log)
  mailer.send({ ...mail, to: 'ada@example.com, eve@example.com' })
  mailer.send({ ...mail, to: 'ada@example.com\r\nBcc: eve@example.com' })
  await mailer.close()
  expect(received.filter((each) => /-> .*,|^Bcc/im.test(each))).toEqual([])
})

test('a mail that cannot be sent is logged, without what is in it, and harms nothing', async () => {
  const errors: { err?: unknown; subject?: string }[] = []
  const log = { error: (fields: object) => errors.push(fields) }
  const mailer = smtpMailer(
    openMailServer({ url: 'smtp://127.0.0.1:9', from: 'flamegate@flamegate.example' }),
    log,
  )
  mailer.send(mail)
  await mailer.close()
  expect(errors).toMatchObject([{ err: expect.any(Error), subject: mail.subject }])
  expect(JSON.stringify(errors)).not.toContain('https://flamegate.example/x')
})

test('without a mail server the text is one entry of the log', () => {
  const lines: unknown[] = []
  const mailer = logMailer({ info: (line: unknown) => lines.push(line) })
  mailer.send(mail)
  expect(mailer.reachesPeople).toBe(false)
  expect(lines).toEqual([
    'Mail to ada@example.com, not sent because SMTP_URL is not set: Grüße\nConfirm it:\n\nhttps://flamegate.example/x\n',
  ])
})
