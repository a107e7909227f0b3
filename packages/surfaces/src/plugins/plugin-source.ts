import { hash } from 'node:crypto'
import { prompts, type PromptText } from '../library/prompts.ts'
import type { PublicText } from '../library/public-texts.ts'
import { skillsOf, type Skill } from '../library/skills.ts'
import manifest from '../../package.json' with { type: 'json' }

/** What the files for all clients are made of. */
export interface PluginSource {
  /** Public URL of the platform that they lead to. */
  siteUrl: string
  /** Of the platform. */
  version: string
  /** Another one when what is in the plugin is another: that is how clients see that there is an update. */
  pluginVersion: string
  overview: PublicText
  skills: readonly Skill[]
  prompts: readonly PromptText[]
}

/** How the MCP server is called in the settings of clients, and the plugin where plugins are listed. */
export const serverName = 'flamegate'

/** In lists of plugins, where there is room for a line. */
export const summary =
  'Benchmarks, profiles, flame graphs and load tests for agents that make software faster.'

export function pluginSource(siteUrl: string, texts: readonly PublicText[]): PluginSource {
  const overview = texts.find(({ kind }) => kind === 'overview')
  if (overview === undefined) throw new TypeError('There is no overview')
  const skills = skillsOf(texts)
  const content = JSON.stringify([
    skills.map(({ file }) => file),
    prompts.map((prompt) => commandText(prompt, '')),
  ])
  return {
    siteUrl,
    version: manifest.version,
    pluginVersion: `${manifest.version}+${hash('sha256', content, 'hex').slice(0, 8)}`,
    overview,
    skills,
    prompts,
  }
}

/**
 * A prompt for a client whose commands take one line of text.
 * @param line What stands for that line in the client's commands: `$ARGUMENTS`.
 */
export function commandText(prompt: PromptText, line: string): string {
  const given = prompt.arguments.map(({ name, description, required }) => {
    const note = required ? '' : ' May be left out.'
    return `- <${name}>: ${description}${note}`
  })
  if (given.length === 0) return prompt.text({})
  return [
    prompt.text(blanks(prompt)),
    '',
    `I gave, in this order: ${line}`,
    '',
    ...given,
    '',
    'Ask me for what is missing.',
  ].join('\n')
}

/** `<base>` for each argument. */
function blanks(prompt: PromptText): Record<string, string> {
  return Object.fromEntries(prompt.arguments.map(({ name }) => [name, `<${name}>`]))
}

/** `[base] [head]` */
export function argumentHint(prompt: PromptText): string {
  return prompt.arguments.map(({ name }) => `[${name}]`).join(' ')
}

/** For every session, so it is short: that there is such a thing, and where to read on. */
export function shortContext({ siteUrl, skills }: PluginSource): string {
  const guides = skills.filter(({ name }) => name !== 'flamegate')
  return `# Flamegate

The MCP server \`${serverName}\` (${siteUrl}) keeps benchmark runs, profiles, flame graphs, load tests and live numbers of
this project. Use it for every question of speed, memory or load, before you guess from the code.

Call \`read_guide\` with the name \`agents\` first: it tells which tool answers which question, and how to work with
measurements. Then read the guide of your task, in the same way:

${guides.map(({ name, description }) => `- \`${name}\`: ${description}`).join('\n')}
`
}
