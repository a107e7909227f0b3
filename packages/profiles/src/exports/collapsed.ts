import { selfValuesOf, type Profile } from '../profile.ts'
import { ByteWriter } from './byte-writer.ts'

/**
 * A value of a profile as folded stacks, `root;child;leaf 12` per line, as flamegraph.pl, inferno, speedscope and others
 * read them. https://github.com/brendangregg/FlameGraph
 *
 * Only names and one value are carried. In names, `;` becomes `:` and line breaks become spaces; a value without any
 * function is of the frame `(root)`. Lines cannot say less than nothing, so negative values are left out, with a note.
 */
export function exportCollapsed(
  profile: Profile,
  sampleTypeIndex?: number,
): { bytes: Uint8Array; notes: string[] } {
  const self = selfValuesOf(profile, sampleTypeIndex)
  const { parents, functionIndexes } = profile.nodes
  const names = profile.functions.names.map(frameName)
  const out = new ByteWriter()
  let negativeCount = 0
  // The path to a node, which is that of its parent and one name more.
  const ends = new Int32Array(parents.length)
  let path = ''
  for (let node = 0; node < parents.length; node++) {
    if (node > 0) {
      const parent = parents[node]!
      const name = names[functionIndexes[node]!]!
      path = parent === 0 ? lineStart(name) : `${path.slice(0, ends[parent])};${name}`
      ends[node] = path.length
    }
    const value = self[node]!
    if (value < 0) negativeCount++
    else if (value > 0) out.text(`${node === 0 ? '(root)' : path} ${decimal(value)}\n`)
  }
  const notes =
    negativeCount === 0 ? [] : [`Folded stacks know no negative values: ${negativeCount} were left out.`]
  return { bytes: out.finish(), notes }
}

function frameName(name: string): string {
  const flat = name.replaceAll(';', ':').replaceAll(/\s+/g, ' ').trim()
  return flat === '' ? '(unknown)' : flat
}

/** What begins as a comment would be taken for one. */
function lineStart(name: string): string {
  return /^(# |#$|\/\/)/.test(name) ? `_${name}` : name
}

/** A number without an exponent. */
function decimal(value: number): string {
  const text = String(value)
  if (!text.includes('e')) return text
  return Number.isInteger(value) ? BigInt(value).toString() : value.toFixed(20).replace(/0+$/, '')
}
