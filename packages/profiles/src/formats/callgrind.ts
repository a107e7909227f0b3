import { TreeTotals } from '../call-graph-totals.ts'
import { FormatError } from '../format-error.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { limits } from '../limits.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { callgrindTypes } from './callgrind-events.ts'
import { CallgrindReader, type CallgrindPart } from './callgrind-reader.ts'

const clientRequest = 'Client Request: '
/** A harness of CodSpeed gives its name in a part of its own. */
const metadata = 'Metadata: '

/**
 * What Valgrind's callgrind writes (format version 1, in all its forms), with it the simulation files of CodSpeed, what other
 * tools write for KCachegrind, and cachegrind's older format, which is a part of this one.
 * https://valgrind.org/docs/manual/cl-format.html
 *
 * - Each event is a sample type, in the file's own words (`Ir`: instructions), those that a line `event:` works out too.
 *   With the events of all caches there is also `iai_estimated_cycles`. Units in names, as Xdebug has them, are those of the types.
 * - A function is told by its name and its source file or, where that is not known, its binary. Code of another file that
 *   was inlined into it (`fi=`) is a function of the same name in that file, called by it, as callgrind_annotate shows it;
 *   how often is not known.
 * - Callgrind knows who called whom and what that cost, but not from where the caller was called. How a tree is made of that
 *   is told in call-graph.ts. Self values are those of `callgrind_annotate`, exactly, of functions and of lines. So are
 *   totals of functions those of `--inclusive=yes`, but for functions that call each other in circles, whose totals are those of
 *   the tree and estimates: of the 553 of 9,053 functions that a C compiler ran, 69 % have the same total up to a thousandth of
 *   everything. For functions that call themselves, `--inclusive=yes` counts what they cost again and again (`fib'2`), which
 *   may come to more than everything, and for those that nobody calls it leaves out what was inlined into them; where a program
 *   ends within a call, it gives what the caller was told, and not what the lines add up to.
 * - Places in the tree are estimates in and below circles, and for calls that got no node of their own; warnings say how many
 *   functions that concerns, and how much.
 * - Calls are counted, and are what is counted as samples.
 * - Parts are added up. What the program asked for by a client request, such as a benchmark of CodSpeed, has its text as the
 *   label `benchmark`; threads that were kept apart have the label `thread`.
 * - Addresses of instructions and jumps within functions are left out.
 *
 * Lines of no known kind are left out with a warning, as KCachegrind and callgrind_annotate do. A part whose lines do not add
 * up to its totals, or that has none, although it is callgrind's own, is read with a warning that it may be cut.
 */
export const callgrind: Importer = {
  format: 'callgrind',
  recognizes: ({ head }) =>
    head.startsWith('# callgrind format') ||
    (/^events:[ \t]*\w/m.test(head) && /^(fn=|fl=|positions:|cmd:)/m.test(head)),
  read: ({ bytes }, options) => readCallgrind(bytes, options),
}

function readCallgrind(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const warnings: string[] = []
  const types = callgrindTypes(bytes, warnings)
  const { sampleTypes, defaultSampleTypeIndex } = types
  const builder = new ProfileBuilder({
    format: 'callgrind',
    sampleTypes,
    defaultSampleTypeIndex,
    maxNodes,
    countsCalls: true,
  })
  // Mostly parts share their nodes, but they need not.
  const nodesOfPart = Math.floor((maxNodes ?? limits.nodes) / types.partCount)
  const checks: TotalsCheck[] = []
  const totals = new TreeTotals(defaultSampleTypeIndex)
  let callCount = 0
  let costLineCount = 0
  const onPart = (part: CallgrindPart) => {
    checks.push({ sums: part.graph.ownTotals(), totals: part.totals })
    callCount += part.callCount
    costLineCount += part.costLineCount
    if (part.costLineCount === 0) return
    const labelSet = builder.labelSet(labelsOf(part))
    part.graph.addTo(builder, { labelSet, maxNodes: nodesOfPart, totals })
  }
  const about = new CallgrindReader(bytes, { types, functions: builder.functions, onPart }).read()
  if (costLineCount === 0) throw new FormatError('the profile holds no samples', { format: 'callgrind' })
  const isOfCallgrind = about.creator.startsWith('callgrind')
  warnings.push(...about.warnings, ...cutWarnings(checks, sampleTypes[0]!.type, isOfCallgrind))
  warnings.push(...estimateWarnings(totals, sampleTypes[defaultSampleTypeIndex]!.type))
  return builder.finish({ sampleCount: callCount || costLineCount, warnings })
}

function labelsOf({ trigger, thread }: CallgrindPart): [string, string][] {
  const labels: [string, string][] = []
  const request = trigger.startsWith(clientRequest) ? trigger.slice(clientRequest.length) : ''
  if (request !== '' && !request.startsWith(metadata)) labels.push(['benchmark', request])
  if (thread !== '') labels.push(['thread', thread])
  return labels
}

/** Per sample type, what the lines of a part add up to, and what it says that they do. */
interface TotalsCheck {
  sums: Float64Array
  totals: Float64Array | undefined
}

/** Of parts whose totals tell that lines are missing, the first one. */
function cutWarnings(checks: readonly TotalsCheck[], firstEvent: string, needsTotals: boolean): string[] {
  const where = (part: number) => (checks.length > 1 ? `Part ${part + 1}` : 'The file')
  const without = needsTotals ? checks.findIndex(({ totals }) => totals === undefined) : -1
  const other = checks.findIndex(({ sums, totals }) => totals !== undefined && totals[0] !== sums[0])
  const { sums, totals } = checks[other] ?? {}
  return [
    ...(without === -1 ? [] : [`${where(without)} has no totals at its end: it may be cut.`]),
    ...(other === -1
      ? []
      : [
          `${where(other)} may be cut: its lines add up to ${sums![0]} ${firstEvent}, and it says ${totals![0]}.`,
        ]),
  ]
}

/** Values that differ by less than this share of everything look the same. */
const leastDifference = 1e-3
/** What is in circles is told from this share of everything on: the dynamic linker alone has some. */
const leastInCircles = 0.01

const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** What is an estimate, where it is more than a little. */
function estimateWarnings(totals: TreeTotals, event: string): string[] {
  const circles = totals.circles()
  const others = totals.offBy(leastDifference)
  return [
    ...(circles.share < leastInCircles
      ? []
      : [
          `${circles.functionCount} functions call each other in circles, and ${percent(circles.share)} of all ${event} is in ` +
            'or below these: how much of it is where the file does not tell, so their totals, and what the call tree has there, ' +
            'are estimates. Self values are exact.',
        ]),
    ...(others.functionCount === 0
      ? []
      : [
          `In the call tree, ${others.functionCount} functions outside circles are off by more than ${percent(leastDifference)} of all ${event}, at ` +
            `most ${percent(others.share)}: calls that cost little are counted where their function is mostly called from. ` +
            'Their totals in tables of functions are exact.',
        ]),
  ]
}
