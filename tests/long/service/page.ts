import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const page = join(root, 'docs/reliability.md')

/** Puts what was measured into its section of docs/reliability.md, between two marks. */
export async function writeSection(
  name: 'service-load' | 'service-faults' | 'upgrade',
  lines: readonly string[],
): Promise<void> {
  const [begin, end] = [`<!-- ${name}: begin -->`, `<!-- ${name}: end -->`]
  const text = existsSync(page) ? await readFile(page, 'utf8') : ''
  const [from, to] = [text.indexOf(begin), text.indexOf(end)]
  if (from === -1 || to === -1) throw new RangeError(`docs/reliability.md has no place for ${name}`)
  await writeFile(page, `${text.slice(0, from)}${begin}\n\n${lines.join('\n')}\n\n${text.slice(to)}`)
  // Tables are padded by whoever formats everything else.
  execFileSync(join(root, 'node_modules/.bin/oxfmt'), [page])
}

/** When and where it was seen, and what else the machine had to do: times are what they are because of that. */
export function seenOn(loadBefore: number): string {
  const [processor] = cpus()
  const others =
    loadBefore < 0.5
      ? ''
      : `, which was shared with other work: its load average was ${loadBefore.toFixed(1)} before this began`
  return `Seen on ${new Date().toISOString().slice(0, 10)}, on a machine with ${cpus().length} cores (${processor?.model.trim() ?? 'unknown'})${others}.`
}

const line = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string[] {
  // Numbers are told on the right.
  const isNumber = head.map((_, at) => rows.every((row) => typeof row[at] === 'number'))
  return [line(head), line(isNumber.map((is) => (is ? '--:' : '---'))), ...rows.map(line)]
}
