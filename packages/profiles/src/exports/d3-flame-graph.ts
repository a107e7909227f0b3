import type { Profile } from '../profile.ts'
import { sampleTypeOf, subtreeEnds, totalValues } from '../profile.ts'
import { wholeCallTree } from '../questions/call-tree.ts'
import { formatValue } from '../questions/format-value.ts'
import { originsOf } from '../questions/function-origin.ts'
import { ByteWriter } from './byte-writer.ts'

/** JSON cannot be nested without end: most readers give up at some depth. */
const deepest = 500

/**
 * A value of a profile as d3-flame-graph reads it (https://github.com/spiermar/d3-flame-graph): nested
 *
 *     { name, value, children, selfValue, valueFormatted, filePath, lineNum, origin }
 *
 * `value` is with all that was called, in the unit of the sample type; what is not known is left out. Places without any
 * value are left out, too, and those deeper than 500, with a note.
 */
export function exportD3(profile: Profile, sampleTypeIndex?: number): { bytes: Uint8Array; notes: string[] } {
  const { unit } = sampleTypeOf(profile, sampleTypeIndex)
  const { parents, functionIndexes, lines, self, totals } = wholeCallTree(profile, sampleTypeIndex)
  const { names, files, startLines } = profile.functions
  const origins = originsOf(profile.functions)
  const ends = subtreeEnds(parents)
  const weights = totalValues(parents, self.map(Math.abs))
  const out = new ByteWriter()
  const open: number[] = []
  let separator = ''
  let tooDeep = 0
  for (let node = 0; node < parents.length;) {
    while (open.length > 0 && open.at(-1) !== parents[node]) {
      out.text(']}')
      separator = ','
      open.pop()
    }
    if (node > 0 && (weights[node] === 0 || open.length > deepest)) {
      if (weights[node] !== 0) tooDeep++
      node = ends[node]!
      continue
    }
    const index = functionIndexes[node]!
    const line = startLines[index] || lines[node]!
    const fields = {
      name: names[index] ?? 'root',
      value: totals[node]!,
      selfValue: self[node]!,
      valueFormatted: formatValue(totals[node]!, unit),
      ...(files[index] ? { filePath: files[index] } : {}),
      ...(index >= 0 && line > 0 ? { lineNum: line } : {}),
      ...(index >= 0 ? { origin: origins[index] } : {}),
    }
    out.text(`${separator}${JSON.stringify(fields).slice(0, -1)},"children":[`)
    separator = ''
    open.push(node)
    node++
  }
  out.text(']}'.repeat(open.length))
  const notes =
    tooDeep === 0
      ? []
      : [`${tooDeep} places deeper than ${deepest} calls were left out; those above have their values.`]
  return { bytes: out.finish(), notes }
}
