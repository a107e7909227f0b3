import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Driver, Situation } from '../driver.ts'
import { serverName } from '../driver.ts'
import { pageCommand } from '../page-snippet.ts'

// The key is never used: what answers in place of the model asks for none.
const env = { GEMINI_API_KEY: 'unused', GEMINI_CLI_TRUST_WORKSPACE: 'true' }

const ask = ({ terminal, modelCalling }: Situation) =>
  terminal.run(['gemini', '--approval-mode', 'yolo', '--model', 'gemini-2.5-flash', '-p', 'Who am I?'], {
    env: { ...env, GOOGLE_GEMINI_BASE_URL: modelCalling(`mcp_${serverName}_get_current_user`) },
    input: '',
  })

export const geminiCli: Driver = {
  id: 'gemini-cli',
  title: 'Gemini CLI',
  package: { package: '@google/gemini-cli', version: '0.61.0' },
  async configure({ terminal, origin }) {
    await mkdir(join(terminal.home, '.gemini'))
    const settings = { security: { auth: { selectedType: 'gemini-api-key' } } }
    await writeFile(join(terminal.home, '.gemini', 'settings.json'), JSON.stringify(settings))
    return terminal.run(pageCommand('gemini-cli', 'Command for Gemini CLI', origin), { env, input: '' })
  },
  logIn: ({ terminal }) =>
    terminal.run(['gemini', '-p', `/mcp auth ${serverName}`], {
      env,
      reply: { to: /\[Y\/n\]: *$/, with: 'y' },
      needsTerminal: true,
    }),
  // `gemini mcp list` only says hello; a session lists the tools when it begins.
  list: ask,
  call: ask,
  refusalText: /requires authentication|failed to refresh|MCP issues/i,
}
