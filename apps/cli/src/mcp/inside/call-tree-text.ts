import { formatValue, sampleTypeOf, summarizeFlameGraph, type Profile } from '@flamegate/profiles'

/** Calls below it are left out, and so are all but the largest. */
const minPercent = 0.5
const entriesMax = 400
const deepestIndent = 60

// What a program calls its functions may hold anything; a terminal must not obey it.
const controls = /\p{Cc}/gu

/** Of a package what comes after its folder, else the last of the path. */
function shortFile(file: string): string {
  const parts = file.split('/')
  const own = parts.slice(parts.lastIndexOf('node_modules') + 1)
  return own.slice(-4).join('/')
}

/** The call tree as lines: of each call its time with all that it called, its own, and its file. */
export function callTreeText(profile: Profile): string {
  const { unit } = sampleTypeOf(profile)
  const { callTree, omitted } = summarizeFlameGraph(profile, { minPercent, maxEntries: entriesMax })
  const rows = callTree.map(({ depth, functionName, file, totalValue, totalPercent, selfValue }) => [
    `${totalPercent.toFixed(1)} %`,
    formatValue(totalValue, unit),
    formatValue(selfValue, unit),
    `${' '.repeat(Math.min(depth, deepestIndent))}${functionName}${file === '' ? '' : `  (${shortFile(file)})`}`,
  ])
  const columns = [['total', 'time', 'self', 'function'], ...rows]
  const widths = [0, 1, 2].map((at) => Math.max(...columns.map((row) => row[at]?.length ?? 0)))
  const lines = columns.map((row) =>
    row.map((cell, at) => (at < 3 ? cell.padStart(widths[at] ?? 0) : cell)).join('  '),
  )
  const left = omitted.callTreeEntries > 0 ? [`${omitted.callTreeEntries} smaller calls are left out.`] : []
  return [...lines, ...left].map((line) => line.replaceAll(controls, ' ')).join('\n')
}
