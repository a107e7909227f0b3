import { codexDrivers } from '../clients/drivers/codex.ts'
import { filesFolder, inTurn, judged, words, type Situation, type Try } from './tries.ts'

const run = (situation: Situation, ...commands: readonly (readonly string[])[]) =>
  inTurn(
    situation,
    commands.map((command) => ['codex', ...command]),
  )

const send = (id: number, method: string, params: object) => JSON.stringify({ id, method, params })

/** Asks what its editors ask it; one answer is what comes of it. */
async function ask({ terminal }: Situation, method: string, params: object) {
  let isDone = false
  const result = await terminal.run(['codex', 'app-server'], {
    first: `${send(1, 'initialize', { clientInfo: { name: 'plugins', title: 'Plugins', version: '1' } })}\n`,
    answer(line) {
      if (line.startsWith('{"id":1,')) return send(2, method, params)
      isDone ||= line.startsWith('{"id":2,')
      return undefined
    },
    until: () => isDone,
  })
  // It goes on until it is ended.
  return { ...result, code: isDone ? 0 : result.code }
}

export const codexTry: Try = {
  title: 'Codex, from the folder',
  package: codexDrivers[0]?.package ?? { package: '', version: '' },
  steps: {
    install: async (situation) =>
      judged(
        await run(
          situation,
          ['plugin', 'marketplace', 'add', `./${filesFolder}`],
          ['plugin', 'add', 'flamegate@flamegate'],
          ['plugin', 'list', '--json'],
        ),
        '"pluginId": "flamegate@flamegate"',
        '"enabled": true',
      ),
    server: async (situation) =>
      judged(
        await ask(situation, 'mcpServerStatus/list', {}),
        '"pluginId":"flamegate@flamegate"',
        `"httpOrigin":"${situation.siteUrl}"`,
        '"authStatus":"notLoggedIn"',
      ),
    skills: async (situation) =>
      judged(
        await ask(situation, 'skills/list', { cwds: [situation.terminal.home] }),
        ...words(situation.skills.map((name) => `flamegate:${name}`)),
        '"pluginId":"flamegate@flamegate"',
      ),
  },
}
