import { parseArgs } from 'node:util'
import { ConfigError } from '@flamegate/runtime'

const options = {
  help: { type: 'boolean', short: 'h' },
  replace: { type: 'boolean' },
  only: { type: 'string' },
  'without-keys': { type: 'boolean' },
  'dry-run': { type: 'boolean' },
  owner: { type: 'string' },
} as const

/** What each command takes: so many words at most, and these options. */
const commands = new Map<string, { wordsMax: number; options: readonly (keyof typeof options)[] }>([
  ['backup', { wordsMax: 1, options: ['without-keys'] }],
  ['verify', { wordsMax: 1, options: [] }],
  ['restore', { wordsMax: 1, options: ['replace'] }],
  ['rotate-keys', { wordsMax: 0, options: ['only'] }],
  ['sweep', { wordsMax: 0, options: ['dry-run'] }],
  ['export-workspace', { wordsMax: 2, options: [] }],
  ['import-workspace', { wordsMax: 1, options: ['owner'] }],
  // Its own words are read where they are done.
  ['incident', { wordsMax: Infinity, options: [] }],
])

/**
 * What was typed after `flamegate admin`.
 * @throws ConfigError for a word or an option that the command does not know: passed over, what was only to be looked at would be changed
 */
export function readArguments(args: readonly string[]) {
  const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options })
  const [command, ...words] = positionals
  const known = commands.get(command ?? '')
  if (known === undefined || values.help === true) return { command, words, values }
  const strange = [
    ...words.slice(known.wordsMax).map((word) => `“${word}”`),
    ...Object.keys(values)
      .filter((name) => !known.options.some((option) => option === name))
      .map((name) => `--${name}`),
  ]
  if (strange.length === 0) return { command, words, values }
  throw new ConfigError(
    `${command} does not take ${strange.join(', ')}, and nothing was done. \`flamegate admin --help\` says what it takes.`,
  )
}
