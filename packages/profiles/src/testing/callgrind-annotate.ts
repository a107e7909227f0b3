import { execFileSync, spawnSync } from 'node:child_process'
import { topFunctions, type Profile } from '../index.ts'

/** Whether Valgrind's own tool is installed. */
export const hasCallgrindAnnotate = spawnSync('callgrind_annotate', ['--version']).error === undefined

/** What it says of a file: per function as `file:name`, an event of its own, or with all that it called. */
export function callgrindAnnotate(
  path: string,
  event: string,
  { inclusive = false } = {},
): Map<string, number> {
  const options = ['--threshold=100', '--auto=no', '--show-percs=no', `--show=${event}`, `--sort=${event}`]
  const text = execFileSync(
    'callgrind_annotate',
    [...options, `--inclusive=${inclusive ? 'yes' : 'no'}`, path],
    {
      encoding: 'utf8',
      cwd: '/',
      stdio: ['ignore', 'pipe', 'ignore'],
      maxBuffer: 2 ** 28,
    },
  )
  return parseAnnotated(text)
}

/** `12,034  valgrind.c:hash_bytes [/tmp/sample]`; the binary is left off. */
export function parseAnnotated(text: string): Map<string, number> {
  const rows = new Map<string, number>()
  for (const line of text.split('\n')) {
    const [, value, name] = /^\s*([\d,]+)\s+(\S.*?)(?: \[[^\]]*\])?$/.exec(line) ?? []
    if (value === undefined || name === undefined || name.startsWith('PROGRAM TOTALS')) continue
    rows.set(name, (rows.get(name) ?? 0) + Number(value.replaceAll(',', '')))
  }
  return rows
}

/** Functions of which only the binary is known have `???` as their file. */
function annotatedName(functionName: string, file: string): string {
  const isSource = /\.(c|h|S|cc|cpp|rs)$/.test(file)
  return `${isSource ? file : '???'}:${functionName}`
}

/** The names of functions whose totals a profile of callgrind knows, in the same form: those in no circle. */
export function annotatedOutsideCircles({ functions, functionTotals }: Profile): Set<string> {
  const names = functions.names.map((name, index) => annotatedName(name, functions.files[index]!))
  const inCircles = new Set(names.filter((_, index) => functionTotals?.isKnown[index] !== 1))
  return new Set(names.filter((name) => !inCircles.has(name)))
}

/** A profile of callgrind in the same form. */
export function asAnnotated(
  profile: Profile,
  event: string,
  { inclusive = false } = {},
): Map<string, number> {
  const sampleTypeIndex = profile.sampleTypes.findIndex(({ type }) => type === event)
  const rows = new Map<string, number>()
  for (const row of topFunctions(profile, { by: 'self', limit: Infinity, sampleTypeIndex })) {
    const name = annotatedName(row.functionName, row.file)
    const value = inclusive ? row.totalValue : row.selfValue
    rows.set(name, (rows.get(name) ?? 0) + value)
  }
  return rows
}
