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
 *   With the events of all caches there is also `iai_estimated_cycles`.
 * - A function is told by its name and its source file or, where that is not known, its binary. Code of another file that
 *   was inlined into it (`fi=`) is a function of the same name in that file, called by it, as callgrind_annotate shows it;
 *   how often is not known.
 * - Callgrind knows who called whom and what that cost, but not from where the caller was called. How a tree is made of that
 *   is told in call-graph.ts. Self values are those of `callgrind_annotate`, exactly, of functions and of lines. Totals are
 *   those of `--inclusive=yes`, up to calls that cost next to nothing, for all functions that are in no circle of calls; within
 *   circles they are estimates. For those that call themselves it counts what they cost again and again (`fib'2`), and
 *   for those that nobody calls it leaves out what was inlined into them.
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
  let callCount = 0
  let costLineCount = 0
  const onPart = (part: CallgrindPart) => {
    checks.push({ sums: part.sums, totals: part.totals })
    callCount += part.callCount
    costLineCount += part.costLineCount
    if (part.costLineCount === 0) return
    part.graph.addTo(builder, { labelSet: builder.labelSet(labelsOf(part)), maxNodes: nodesOfPart })
  }
  const about = new CallgrindReader(bytes, { types, functions: builder.functions, onPart }).read()
  if (costLineCount === 0) throw new FormatError('the profile holds no samples', { format: 'callgrind' })
  const isOfCallgrind = about.creator.startsWith('callgrind')
  warnings.push(...about.warnings, ...totalsWarnings(checks, sampleTypes[0]!.type, isOfCallgrind))
  return builder.finish({ sampleCount: callCount || costLineCount, warnings })
}

function labelsOf({ trigger, thread }: CallgrindPart): [string, string][] {
  const labels: [string, string][] = []
  const request = trigger.startsWith(clientRequest) ? trigger.slice(clientRequest.length) : ''
  if (request !== '' && !request.startsWith(metadata)) labels.push(['benchmark', request])
  if (thread !== '') labels.push(['thread', thread])
  return labels
}

type TotalsCheck = Pick<CallgrindPart, 'sums' | 'totals'>

/** Of parts whose totals tell that lines are missing, the first one. */
function totalsWarnings(checks: readonly TotalsCheck[], firstEvent: string, needsTotals: boolean): string[] {
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
