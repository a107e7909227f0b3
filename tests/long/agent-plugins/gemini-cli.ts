import { geminiCli } from '../clients/drivers/gemini-cli.ts'
import { filesFolder, inTurn, judged, words, type Situation, type Try } from './tries.ts'

const env = { GEMINI_API_KEY: 'unused', GEMINI_CLI_TRUST_WORKSPACE: 'true' }
const folder = `./${filesFolder}/plugins/flamegate`

const run = (situation: Situation, ...commands: readonly (readonly string[])[]) =>
  inTurn(
    situation,
    commands.map((command) => ['gemini', ...command]),
    env,
  )

export const geminiCliTry: Try = {
  title: 'Gemini CLI, from the folder',
  package: geminiCli.package,
  steps: {
    valid: async (situation) =>
      judged(await run(situation, ['extensions', 'validate', folder]), /successfully validated/i),
    install: async (situation) =>
      judged(
        await run(situation, ['extensions', 'install', folder, '--consent'], ['extensions', 'list']),
        '✓ flamegate',
        'GEMINI.md',
      ),
    server: async (situation) =>
      judged(await run(situation, ['mcp', 'list']), `flamegate (from flamegate): ${situation.siteUrl}/mcp`),
    skills: async (situation) => judged(await run(situation, ['skills', 'list']), ...words(situation.skills)),
  },
}
