import { parseArgs, type ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from '../usage-error.ts'

/** An option of a command, as `--help` shows it. */
export interface Option {
  /** Without the dashes. */
  name: string
  /** What to write after it, such as `<file>`; a flag when left out. */
  value?: string
  /** One letter that may be written in its place, after one dash. */
  short?: string
  /** May be given more than once. */
  isRepeatable?: boolean
  description: string
}

/** A command line taken apart: options by name, as texts, lists of texts and flags. */
export interface CommandLine {
  positionals: readonly string[]
  text(name: string): string | undefined
  list(name: string): readonly string[] | undefined
  /** True for `--name`, false for `--no-name`, which lists may be given as too; undefined for neither. */
  flag(name: string): boolean | undefined
}

export const helpOption: Option = { name: 'help', short: 'h', description: 'Show this.' }
export const jsonOption: Option = { name: 'json', description: 'Print the whole answer as JSON.' }

/**
 * Reads a command line strictly. Names may be written with underscores, as fields are named on the wire.
 *
 * @throws UsageError that names what could not be read.
 */
export function readCommandLine(
  args: readonly string[],
  options: readonly Option[],
  positionals: readonly string[],
): CommandLine {
  // What comes after `--` is another program's.
  const ownCount = args.includes('--') ? args.indexOf('--') : args.length
  const own = args.slice(0, ownCount).map(withDashes)
  const parsed = parse([...own, ...args.slice(ownCount)], options)
  if (parsed.positionals.length > positionals.length && !positionals.at(-1)?.endsWith('…')) {
    throw new UsageError(`There is an argument too many: ${parsed.positionals.at(positionals.length) ?? ''}`)
  }
  const { values } = parsed
  return {
    positionals: parsed.positionals,
    text: (name) => {
      const value = values[name]
      return typeof value === 'string' ? value : undefined
    },
    list: (name) => {
      const value = values[name]
      return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : undefined
    },
    flag: (name) => {
      const value = values[name]
      if (Array.isArray(value)) return value.includes(false) ? false : undefined
      return typeof value === 'boolean' ? value : undefined
    },
  }
}

function parse(args: string[], options: readonly Option[]) {
  try {
    return parseArgs({
      args,
      options: syntaxOf(options),
      allowPositionals: true,
      allowNegative: true,
    })
  } catch (error) {
    // parseArgs says what is wrong with a command line in a TypeError with a code of its own.
    if (error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS')) {
      throw new UsageError(error.message.split('. ')[0] ?? error.message)
    }
    throw error
  }
}

function syntaxOf(options: readonly Option[]): ParseArgsOptionsConfig {
  const syntax: ParseArgsOptionsConfig = {}
  for (const { name, short, value, isRepeatable = false } of options) {
    syntax[name] = {
      type: value === undefined ? 'boolean' : 'string',
      multiple: isRepeatable,
      ...(short === undefined ? {} : { short }),
    }
    // parseArgs takes the negation of what is no flag only where it is an option of its own.
    if (isRepeatable) syntax[`no-${name}`] = { type: 'boolean' }
  }
  return syntax
}

function withDashes(argument: string): string {
  return argument.replace(/^--[a-z0-9_-]+/, (name) => name.replaceAll('_', '-'))
}
