import { setTimeout as wait } from 'node:timers/promises'
import { ApiUnreachable } from '@flamegate/client'
import { siteUrl } from '../cli-config.ts'
import {
  findAuthorizationServer,
  isRefused,
  LogInRefused,
  type AuthorizationServer,
  type DeviceAuthorization,
  type Tokens,
} from '../login/authorization-server.ts'
import { loginOf } from '../login/fresh-token.ts'
import { canKeepLogin, readLogin, storeLogin } from '../login/stored-login.ts'
import { UsageError } from '../usage-error.ts'
import type { CommandBody } from './command.ts'

/** How much slower to ask when the server says so: https://www.rfc-editor.org/rfc/rfc8628#section-3.5 */
const slowerBySeconds = 5

/** `flamegate login`: a person allows this in any browser, here or on another machine. */
export const logIn: CommandBody = {
  details:
    'Prints an address and a code, and waits until you have allowed it there. The log-in is kept in your ' +
    'configuration folder for you alone, and renewed as long as it is used; Connected apps on the web page ends it. ' +
    'FLAMEGATE_TOKEN wins over it.',
  positionals: [],
  options: [{ name: 'url', value: '<url>', description: 'Where Flamegate is; FLAMEGATE_URL when left out.' }],
  async run({ line, terminal }) {
    const { env } = terminal
    if (!canKeepLogin(env)) throw new UsageError('There is no folder to keep the log-in in: set HOME.')
    const url = siteUrl(line.text('url') ?? env['FLAMEGATE_URL'] ?? readLogin(env)?.url)
    const server = await findAuthorizationServer(url)
    const device = await server.startDevice()
    terminal.writeOut(
      `Open ${device.verification_uri_complete}\nand check that it shows the code ${device.user_code}.`,
    )
    await storeLogin(env, loginOf(url, await waitForTokens(server, device)))
    terminal.writeOut(`You are logged in at ${url}.`)
  },
}

/** Asks until the person has decided. @throws LogInRefused when they said no, or nothing in time */
async function waitForTokens(
  server: AuthorizationServer,
  { device_code, interval, expires_in }: DeviceAuthorization,
): Promise<Tokens> {
  const deadline = Date.now() + expires_in * 1000
  let pauseSeconds = interval
  while (Date.now() < deadline) {
    await wait(pauseSeconds * 1000)
    const answer = await server.askForTokens(device_code).catch(unlessUnreachable)
    if (answer === undefined) {
      // As the same section of RFC 8628 wants it.
      pauseSeconds *= 2
      continue
    }
    if (!isRefused(answer)) return answer
    if (answer.error === 'access_denied') throw new LogInRefused('You did not allow it. Nothing has changed.')
    if (answer.error === 'slow_down') pauseSeconds += slowerBySeconds
    else if (answer.error !== 'authorization_pending') break
  }
  throw new LogInRefused('Nobody allowed it in time. Start again: flamegate login.')
}

function unlessUnreachable(error: unknown): undefined {
  if (!(error instanceof ApiUnreachable)) throw error
}
