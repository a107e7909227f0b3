import { claudeCodeDrivers } from '../clients/drivers/claude-code.ts'
import { filesFolder, inTurn, judged, words, type Situation, type Try } from './tries.ts'

const env = { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' }
const plugin = 'flamegate@flamegate'

const run = (situation: Situation, ...commands: readonly (readonly string[])[]) =>
  inTurn(
    situation,
    commands.map((command) => ['claude', ...command]),
    env,
  )

const installed: Try['steps'] = {
  // Who it may not let in it calls by this name.
  server: async (situation) =>
    judged(
      await run(situation, ['mcp', 'list']),
      `plugin:flamegate:flamegate: ${situation.siteUrl}/mcp`,
      /needs authentication/i,
    ),
  skills: async (situation) =>
    judged(await run(situation, ['plugin', 'details', 'flamegate']), ...words(situation.skills)),
  commands: async (situation) =>
    judged(await run(situation, ['plugin', 'details', 'flamegate']), ...words(situation.commands)),
}

function claudeCode(from: string, marketplace: (situation: Situation) => string, steps: Try['steps']): Try {
  return {
    title: `Claude Code, from ${from}`,
    package: claudeCodeDrivers[0]?.package ?? { package: '', version: '' },
    steps: {
      ...steps,
      install: async (situation) =>
        judged(
          await run(
            situation,
            ['plugin', 'marketplace', 'add', marketplace(situation)],
            ['plugin', 'install', plugin],
            ['plugin', 'list', '--json'],
          ),
          `"id": "${plugin}"`,
          '"enabled": true',
        ),
      ...installed,
    },
  }
}

export const claudeCodeTries: readonly Try[] = [
  claudeCode('the folder', () => `./${filesFolder}`, {
    valid: async (situation) =>
      judged(
        await run(
          situation,
          ['plugin', 'validate', `./${filesFolder}`, '--strict'],
          ['plugin', 'validate', `./${filesFolder}/plugins/flamegate`, '--strict'],
          // What it warns of there, an icon and a page on privacy, is for whoever submits it.
          ['plugin', 'validate', `./${filesFolder}/plugins/flamegate`, '--profile', 'directory'],
        ),
        'Validation passed',
      ),
  }),
  claudeCode('the platform', ({ siteUrl }) => `${siteUrl}/mcp/public/agents/marketplace.json`, {}),
]
