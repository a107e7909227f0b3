import { parseArgs } from 'node:util'
import { UsageError } from '../usage-error.ts'

/** An option of a command, as `--help` shows it. */
export interface Option {
  /** Without the dashes. */
  name: string
  /** What to write after it, such as `<file>`; a flag when left out. */
  value?: string
  /** May be given more than once. */
  isRepeatable?: boolean
  description: string
}

/** A command line taken apart: options by name, as texts, lists of texts and flags. */
export interface CommandLine {
  positionals: readonly string[]
  text(name: string): string | undefined
  list(name: string): readonly string[] | undefined
  /** True for `--name`, false for `--no-name`, undefined when neither was given. */
  flag(name: string): boolean | undefined
}

export const helpOption: Option = { name: 'help', description: 'Show this.' }
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
  const parsed = parse(args.map(withDashes), options)
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
      return Array.isArray(value) ? value.map(String) : undefined
    },
    flag: (name) => {
      const value = values[name]
      return typeof value === 'boolean' ? value : undefined
    },
  }
}

function parse(args: string[], options: readonly Option[]) {
  try {
    return parseArgs({
      args,
      options: Object.fromEntries(
        options.map((option) => [
          option.name,
          {
            type: option.value === undefined ? ('boolean' as const) : ('string' as const),
            multiple: option.isRepeatable === true,
            ...(option.name === 'help' ? { short: 'h' } : {}),
          },
        ]),
      ),
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

function withDashes(argument: string): string {
  return argument.replace(/^--[a-z0-9_-]+/, (name) => name.replaceAll('_', '-'))
}
