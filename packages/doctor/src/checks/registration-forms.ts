/** How a family of clients introduces itself. */
export interface RegistrationForm {
  clients: string[]
  /** Client metadata (RFC 7591, 2). */
  metadata: { redirect_uris: string[]; grant_types: string[] } & Record<string, unknown>
}

const deviceCode = 'urn:ietf:params:oauth:grant-type:device_code'

/** Registrations as clients send them; the first says nothing about itself that it need not. */
export function registrationForms(options: {
  /** Where a program on this computer would come back to. */
  redirectUris: readonly string[]
  /** What the client would ask for; those on the official SDK say so when they register. */
  scope: string | undefined
  /** What the server says it knows. */
  grantTypes: readonly string[]
}): [RegistrationForm, ...RegistrationForm[]] {
  const common = {
    client_name: 'Flamegate connection doctor',
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(options.scope === undefined ? {} : { scope: options.scope }),
  }
  const loopback = [...options.redirectUris]
  return [
    { clients: ['Gemini CLI', 'opencode', 'mcporter'], metadata: { ...common, redirect_uris: loopback } },
    {
      clients: ['Codex', 'Claude Code', 'mcp-remote', 'MCP Inspector'],
      metadata: { ...common, application_type: 'native', redirect_uris: loopback },
    },
    {
      clients: ['VS Code'],
      metadata: {
        ...common,
        application_type: 'native',
        grant_types: [
          ...common.grant_types,
          ...(options.grantTypes.includes(deviceCode) ? [deviceCode] : []),
        ],
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
        redirect_uris: [
          'https://claude.ai/api/mcp/auth_callback',
          'https://claude.com/api/mcp/auth_callback',
        ],
      },
    },
    {
      clients: ['ChatGPT'],
      metadata: {
        ...common,
        redirect_uris: [
          'https://chatgpt.com/connector/oauth/flamegate-doctor',
          'https://chatgpt.com/connector_platform_oauth_redirect',
        ],
      },
    },
  ]
}

/** The first of them, with the redirects and grants of all. */
export function together(forms: ReturnType<typeof registrationForms>): RegistrationForm['metadata'] {
  const all = (field: 'redirect_uris' | 'grant_types') => [
    ...new Set(forms.flatMap((form) => form.metadata[field])),
  ]
  return { ...forms[0].metadata, redirect_uris: all('redirect_uris'), grant_types: all('grant_types') }
}
