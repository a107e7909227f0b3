import type { CommandLine } from '../../arguments/command-line.ts'
import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { askedTarget } from '../options.ts'
import { findTarget } from '../target/find-target.ts'
import type { McpTarget } from '../target/mcp-target.ts'

/**
 * The server that `--baseline` or `--current` means: with `--mcp` a version of that server; else a URL, a command (what has
 * a blank or a slash in it), or a name.
 * @throws UsageError
 */
export function versionTarget(text: string, line: CommandLine, terminal: Terminal): Promise<McpTarget> {
  const asked = { ...askedTarget(line), words: [] }
  if (asked.mcp !== undefined) return findTarget({ ...asked, version: text }, terminal)
  const isCommand = /[\s/\\]/.test(text) && !/^https?:\/\//.test(text)
  return findTarget({ ...asked, ...(isCommand ? { words: wordsOf(text) } : { mcp: text }) }, terminal)
}

/** The words of a command; those in quotes are one. @throws UsageError */
export function wordsOf(command: string): string[] {
  const words = [...command.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replaceAll(
      /"([^"]*)"|'([^']*)'/g,
      (_quoted, double?: string, single?: string) => double ?? single ?? '',
    ),
  )
  const isWhole = command.replaceAll(/"[^"]*"|'[^']*'/g, '').search(/["']/) === -1
  if (isWhole && words.length > 0) return words
  throw new UsageError(`${command} is no command: a quote in it has no end.`)
}
