import type { CommandLine, Option } from '../arguments/command-line.ts'

/** Where source maps of the scripts of a profile are looked for. */
export interface SourceMapSearch {
  /** Sources below the checkout that this folder is in are told from there. */
  cwd: string
  /** Where maps of scripts that have none of their own are looked for by name. */
  folders: readonly string[]
}

export const sourceMapsOption: Option = {
  name: 'source-maps',
  value: '<folder>',
  isRepeatable: true,
  description:
    'Where source maps of JavaScript are looked for by name (main.js.map), besides those that scripts on this machine name or have beside them. Sources are not sent. --no-source-maps: profiles go as they are.',
}

/** Undefined: none are wanted. */
export function sourceMapSearch(line: CommandLine, cwd: string): SourceMapSearch | undefined {
  return line.flag('source-maps') === false ? undefined : { cwd, folders: line.list('source-maps') ?? [] }
}
