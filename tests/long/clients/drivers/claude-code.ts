import type { Driver, Situation } from '../driver.ts'
import { serverName } from '../driver.ts'
import { pageCommand } from '../page-snippet.ts'

const env = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }

const claudeCode = {
  id: 'claude-code',
  package: { package: '@anthropic-ai/claude-code', version: '2.1.330' },
  configure: ({ terminal, origin }: Situation) =>
    terminal.run(pageCommand('claude-code', 'Command for Claude Code', origin), { env, input: '' }),
  // It logs in only where it believes to see a person.
  logIn: ({ terminal }: Situation) =>
    terminal.run(['claude', 'mcp', 'login', serverName], { env, needsTerminal: true }),
  list: ({ terminal }: Situation) => terminal.run(['claude', 'mcp', 'list'], { env, input: '' }),
  call: ({ terminal, modelCalling }: Situation) => {
    const tool = `mcp__${serverName}__get_current_user`
    return terminal.run(['claude', '-p', 'Who am I?', '--allowedTools', tool], {
      env: { ...env, ANTHROPIC_BASE_URL: modelCalling(tool), ANTHROPIC_API_KEY: 'unused' },
      input: '',
    })
  },
  refusalText: /needs authentication/i,
} satisfies Partial<Driver>

export const claudeCodeDrivers: Driver[] = [
  {
    ...claudeCode,
    title: 'Claude Code, metadata document',
    document: {
      url: 'https://claude.ai/oauth/claude-code-client-metadata',
      // Without `application_type`, as was reported of it.
      metadata: {
        client_name: 'Claude Code',
        client_uri: 'https://claude.ai',
        redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    },
  },
  { ...claudeCode, title: 'Claude Code, registration' },
]
