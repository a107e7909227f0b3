import { asJson, jsonObject, text } from '../exchange.ts'
import type { Send } from '../exchange.ts'
import { failed, ok } from '../finding.ts'
import type { Finding } from '../finding.ts'

/** A client that was registered for the examination. */
export interface RegisteredClient {
  clientId: string
  /** To remove it again (RFC 7592); undefined when the server does not offer that. */
  management: { url: string; token: string } | undefined
}

interface Form {
  clients: string[]
  metadata: Record<string, unknown>
}

const common = {
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
}
const name = 'Flamegate connection doctor'

/** Registrations as clients send them; the first is the one that the examination goes on with. */
const forms: readonly Form[] = [
  {
    // Without application_type, to a port that is another one each time.
    clients: ['Gemini CLI', 'opencode', 'mcporter'],
    metadata: { ...common, client_name: name, redirect_uris: ['http://127.0.0.1/callback'] },
  },
  {
    clients: ['VS Code'],
    metadata: {
      ...common,
      client_name: name,
      application_type: 'native',
      grant_types: [...common.grant_types, 'urn:ietf:params:oauth:grant-type:device_code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
    },
  },
  {
    clients: ['Cursor'],
    metadata: {
      ...common,
      client_name: name,
      redirect_uris: [
        'http://localhost:8787/callback',
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
      ],
    },
  },
  {
    clients: ['Claude'],
    metadata: {
      ...common,
      client_name: name,
      scope: 'openid offline_access unheard_of',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback', 'https://claude.com/api/mcp/auth_callback'],
    },
  },
]

/** Registers a client in the form of each family of clients (RFC 7591). */
export async function checkRegistration(
  send: Send,
  endpoint: string,
): Promise<{ findings: Finding[]; registered: RegisteredClient[] }> {
  const results = await Promise.all(forms.map((form) => register(send, endpoint, form)))
  return {
    findings: results.map(({ finding }) => finding),
    registered: results.flatMap(({ client }) => client ?? []),
  }
}

async function register(
  send: Send,
  endpoint: string,
  { clients, metadata }: Form,
): Promise<{ finding: Finding; client: RegisteredClient | undefined }> {
  const title = `${clients.join(', ')} can register`
  const answer = await send({
    method: 'POST',
    url: endpoint,
    headers: asJson,
    body: JSON.stringify(metadata),
  })
  const document = jsonObject(answer)
  const clientId = text(document?.['client_id'])
  if (answer.status < 200 || answer.status > 201 || document === undefined || clientId === undefined) {
    const said = text(document?.['error_description']) ?? text(document?.['error'])
    const detail = `It was answered with ${answer.status}${said === undefined ? '' : `: ${said}`}.`
    const advice = 'Accept it: replace what you do not support instead of refusing (RFC 7591, 3.2.1).'
    return { finding: failed('registration', title, { detail, advice, clients }), client: undefined }
  }
  const url = text(document['registration_client_uri'])
  const token = text(document['registration_access_token'])
  const management = url !== undefined && token !== undefined ? { url, token } : undefined
  return {
    finding: ok('registration', title, `It was given the client id ${clientId}.`),
    client: { clientId, management },
  }
}

/** Removes what was registered, where the server lets us. */
export async function unregister(send: Send, clients: readonly RegisteredClient[]): Promise<void> {
  await Promise.all(
    clients.map(async ({ management }) => {
      if (!management) return
      const headers = { authorization: `Bearer ${management.token}` }
      await send({ method: 'DELETE', url: management.url, headers })
    }),
  )
}
