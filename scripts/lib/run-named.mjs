import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { handOver } from './hand-over.mjs'
import { inRoot } from './paths.mjs'
import { prepare } from './prepare.mjs'
import { say } from './say.mjs'

/**
 * Runs one of several programs by its name, or lists them.
 * @param {{ command: string, names: string[], fileOf: (name: string) => string }} choice `fileOf` relative to the checkout
 * @param {readonly string[]} argv name first; the rest goes to the program
 */
export async function runNamed({ command, names, fileOf }, argv) {
  const [name, ...args] = argv
  if (name === undefined || !names.includes(name)) {
    if (name !== undefined && !['--help', '-h', '--list'].includes(name)) {
      say(`There is no ${JSON.stringify(name)}.`)
      process.exitCode = 1
    }
    say(`Usage: ${command} -- <name> [options]\n`)
    say(
      names.length === 0
        ? 'There are none yet.'
        : names.map((each) => describe(each, fileOf(each))).join('\n'),
    )
    return
  }
  await prepare()
  handOver([fileOf(name), ...args])
}

/**
 * The name and the first line of the comment that the file begins with.
 * @param {string} name
 * @param {string} file
 */
function describe(name, file) {
  const comment = /^\s*(?:\/\/|\/\*\*?)[ \t]*\n?(?:[ \t]*\*)?[ \t]*(?<text>[^\n]*)/.exec(
    readFileSync(inRoot(file), 'utf8'),
  )
  return `  ${name.padEnd(24)} ${(comment?.groups?.['text'] ?? '').replace(/\s*\*\/$/, '')}`.trimEnd()
}

/**
 * @param {string} folder relative to the checkout
 * @param {(name: string) => string | undefined} nameOf of a directory entry; undefined when it is not one
 */
export function namesIn(folder, nameOf) {
  if (!existsSync(inRoot(folder))) return []
  return readdirSync(inRoot(folder))
    .map(nameOf)
    .filter((name) => name !== undefined)
    .toSorted()
}
