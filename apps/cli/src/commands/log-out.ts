import { findAuthorizationServer } from '../login/authorization-server.ts'
import { readLogin, removeLogin } from '../login/stored-login.ts'
import type { CommandBody } from './command.ts'

/** `flamegate logout`: ends the log-in at the server, and forgets it here in any case. */
export const logOut: CommandBody = {
  positionals: [],
  options: [],
  async run({ terminal }) {
    const login = readLogin(terminal.env)
    if (login === undefined) {
      terminal.writeOut('You are not logged in.')
      return
    }
    await removeLogin(terminal.env)
    const server = await findAuthorizationServer(login.url)
    await server.revoke(login.refresh_token)
    terminal.writeOut(`You are logged out of ${login.url}.`)
  },
}
