import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { filesFolder, inTurn, judged, words, type Situation, type Try } from './tries.ts'

const skillsPackage = { package: 'skills', version: '1.7.4' }
const env = { DISABLE_TELEMETRY: '1' }
const agents = ['claude-code', 'cursor', 'github-copilot']
/** One for the first of the agents, one that all others share. */
const places = ['.claude/skills', '.agents/skills']

const run = (situation: Situation, ...commands: readonly (readonly string[])[]) =>
  inTurn(
    situation,
    commands.map((command) => ['skills', ...command]),
    env,
  )

function skillsInstaller(from: string, source: (situation: Situation) => string): Try {
  return {
    title: `npx skills, from ${from}`,
    package: skillsPackage,
    steps: {
      valid: async (situation) =>
        judged(
          await run(situation, ['add', source(situation), '--list']),
          `Found ${situation.skills.length} skills`,
        ),
      install: async (situation) =>
        judged(
          await run(
            situation,
            ['add', source(situation), '--skill', '*', '--agent', ...agents, '--yes'],
            ['list', '--json'],
          ),
          ...words(situation.skills),
        ),
      skills: async ({ terminal, skills }) => {
        const given = join(terminal.home, filesFolder, 'plugins/flamegate/skills')
        const differ: string[] = []
        for (const name of skills) {
          const file = await readFile(join(given, name, 'SKILL.md'), 'utf8')
          for (const place of places) {
            const installed = await readFile(join(terminal.home, place, name, 'SKILL.md'), 'utf8').catch(
              () => undefined,
            )
            if (installed !== file) differ.push(`${place}/${name}`)
          }
        }
        return { code: 0, output: `other than ours: ${differ.join(', ')}`, works: differ.length === 0 }
      },
    },
  }
}

export const skillsInstallerTries: readonly Try[] = [
  skillsInstaller('the folder', () => `./${filesFolder}/plugins/flamegate`),
  skillsInstaller('the platform', ({ siteUrl }) => siteUrl),
]
