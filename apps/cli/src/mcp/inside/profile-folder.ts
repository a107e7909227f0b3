import path from 'node:path'
import type { CommandLine } from '../../arguments/command-line.ts'
import { inOwnFolder } from '../../capture/in-own-folder.ts'
import type { Terminal } from '../../terminal.ts'
import { keptFolder } from '../report/report-files.ts'

/**
 * Gives `use` the folder for profiles of the report of that name: beside the report, or where `--profiles` says. When nothing
 * is kept, it is gone afterwards.
 */
export function inProfileFolder<T>(
  line: CommandLine,
  { cwd }: Pick<Terminal, 'cwd'>,
  reportName: string,
  use: (place: { folder: string; isKept: boolean }) => Promise<T>,
): Promise<T> {
  const asked = line.text('profiles')
  if (asked === undefined && line.flag('keep') === false) {
    return inOwnFolder((folder) => use({ folder, isKept: false }))
  }
  return use({ folder: path.resolve(cwd, asked ?? path.join(keptFolder, reportName)), isKept: true })
}
