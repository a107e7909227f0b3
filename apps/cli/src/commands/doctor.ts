import { diagnose } from '@flamegate/doctor'
import type { DiagnoseOptions } from '@flamegate/doctor'
import { jsonOption } from '../arguments/command-line.ts'
import { sendOverFetch } from '../doctor/fetch-send.ts'
import { openLoopbackRedirect } from '../doctor/loopback-redirect.ts'
import { renderDiagnosis } from '../doctor/render-diagnosis.ts'
import { UsageError } from '../usage-error.ts'
import type { CommandBody } from './command.ts'
import { Refusal } from '../refusal.ts'

/** The server has faults; they were printed. */
export class FoundBroken extends Refusal {
  override name = 'FoundBroken'
}

export const doctor: CommandBody = {
  details:
    'Does what clients do and says in plain words what is wrong and which client trips over it. It registers a client, a few only where it must, removes it again where the server lets it, and says so where not. Ends with 1 when something is broken.',
  positionals: ['url'],
  options: [
    { name: 'log-in', description: 'Log in through a browser, so that tools can be listed and called.' },
    { name: 'token', value: '<text>', description: 'Use this bearer token instead of logging in.' },
    jsonOption,
  ],
  async run({ line, terminal }) {
    const [url] = line.positionals
    if (url === undefined)
      throw new UsageError('Name the URL of the MCP server, such as https://example.com/mcp.')
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new UsageError(`${url} is no address. Give one such as https://example.com/mcp.`)
    }
    const redirect = line.flag('log-in') === true ? await openLoopbackRedirect() : undefined
    const options: DiagnoseOptions = { url, send: sendOverFetch, token: line.text('token') }
    if (redirect) {
      options.person = {
        redirectUri: redirect.redirectUri,
        ask(page) {
          terminal.writeError(`Open this page and log in:\n\n  ${page}\n\n`)
          return redirect.answer()
        },
      }
    }
    try {
      const diagnosis = await diagnose(options)
      terminal.writeOut(
        line.flag('json') === true ? JSON.stringify(diagnosis, null, 2) : renderDiagnosis(diagnosis),
      )
      if (diagnosis.verdict === 'broken') throw new FoundBroken(`${url} is broken.`)
    } finally {
      redirect?.close()
    }
  },
}
