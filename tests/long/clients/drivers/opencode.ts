import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Driver } from '../driver.ts'
import { serverName } from '../driver.ts'
import { pageCommand } from '../page-snippet.ts'

const env = { OPENCODE_DISABLE_AUTOUPDATE: 'true' }

export const opencode: Driver = {
  id: 'opencode',
  title: 'opencode',
  package: { package: 'opencode-ai', version: '1.18.33' },
  async configure({ terminal, origin, modelCalling }) {
    const baseURL = `${modelCalling(`${serverName}_get_current_user`)}/v1`
    const settings = {
      model: 'anthropic/claude-sonnet-4-5',
      small_model: 'anthropic/claude-sonnet-4-5',
      provider: { anthropic: { options: { baseURL, apiKey: 'unused' } } },
      permission: { '*': 'allow' },
    }
    await writeFile(join(terminal.home, 'opencode.json'), JSON.stringify(settings))
    return terminal.run(pageCommand('opencode', 'Command for OpenCode', origin), { env, input: '' })
  },
  logIn: ({ terminal }) =>
    terminal.run(['opencode', 'mcp', 'auth', serverName], { env, needsTerminal: true }),
  list: ({ terminal }) => terminal.run(['opencode', 'mcp', 'list'], { env, input: '' }),
  call: ({ terminal }) => terminal.run(['opencode', 'run', 'Who am I?'], { env, input: '' }),
  refusalText: /needs authentication/i,
}
