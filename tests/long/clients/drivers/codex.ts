import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Driver, Situation } from '../driver.ts'
import { serverName } from '../driver.ts'
import { pageCommand } from '../page-snippet.ts'

const answerSchema = z.object({
  id: z.number(),
  result: z.looseObject({ thread: z.looseObject({ id: z.string() }).optional() }),
})

/** The parts of the protocol that its editors speak to it (`codex app-server`) which need no model. */
function converse({ terminal }: Situation, callsTool: boolean) {
  let isDone = false

  function answer(line: string): string | undefined {
    const { success, data } = answerSchema.safeParse(parsed(line))
    if (!success) {
      // Errors have no result; there is nothing more to come then.
      isDone ||= /"error"/.test(line) && /"id":\s*\d/.test(line)
      return undefined
    }
    if (data.id === 1) return send(2, 'mcpServerStatus/list', {})
    if (data.id === 2 && callsTool) return send(3, 'thread/start', { ephemeral: true })
    if (data.id === 3) {
      const threadId = data.result.thread?.id
      return send(4, 'mcpServer/tool/call', {
        threadId,
        server: serverName,
        tool: 'get_current_user',
        arguments: {},
      })
    }
    isDone = true
    return undefined
  }

  const hello = send(1, 'initialize', { clientInfo: { name: 'matrix', title: 'Matrix', version: '1' } })
  return terminal.run(['codex', 'app-server'], { first: `${hello}\n`, answer, until: () => isDone })
}

function send(id: number, method: string, params: object): string {
  return JSON.stringify({ id, method, params })
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function codex(registration: 'cimd' | 'dcr') {
  return {
    id: 'codex',
    package: { package: '@openai/codex', version: '0.169.0' },
    async configure({ terminal }: Situation) {
      await mkdir(join(terminal.home, '.codex'))
      await writeFile(join(terminal.home, '.codex', 'config.toml'), 'mcp_oauth_credentials_store = "file"\n')
    },
    // The line that adds the server goes on to log in.
    logIn: ({ terminal, origin }: Situation) =>
      terminal.run(
        pageCommand('codex', 'Command for Codex', origin, ` --oauth-client-registration ${registration}`),
      ),
    list: (situation: Situation) => converse(situation, false),
    call: (situation: Situation) => converse(situation, true),
    refusalText: /"authStatus":\s*"(?:notLoggedIn|reauth\w*)"/i,
  } satisfies Partial<Driver>
}

export const codexDrivers: Driver[] = [
  {
    ...codex('cimd'),
    title: 'Codex, metadata document',
    document: {
      url: 'https://chatgpt.com/oauth/codex/client.json',
      metadata: {
        client_name: 'Codex',
        redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    },
  },
  { ...codex('dcr'), title: 'Codex, registration' },
]
