import {
  formatBytes,
  formatDifference,
  formatDurationNs,
  table,
  type operations,
  type OutputOf,
} from '@flamegate/contract'
import { siteInWords } from './heap-site-on-wire.ts'

type Answer = Omit<OutputOf<typeof operations.detectMemoryLeaks>, 'report'>
type Site = Answer['growing'][number]

/** What grew between two heap profiles, as markdown, with what to do about it. */
export function leakReport(answer: Answer): string {
  const { base, head, growing, bursts, shrinking } = answer
  return [
    `# Heap: ${formatDifference(answer.growth, 'bytes')} in ${formatDurationNs(answer.seconds_between * 1e9)}`,
    `In use ${formatBytes(base.in_use)} → ${formatBytes(head.in_use)}${
      answer.allocated === null ? '' : `; ${formatBytes(answer.allocated)} were allocated meanwhile`
    }.`,
    verdictInWords(answer),
    answer.notes.map((note) => `- ${note}`).join('\n'),
    ...(growing.length === 0 ? [] : ['## Growing', sites(growing)]),
    ...(bursts.length === 0 ? [] : ['## Bursts, which are freed', sites(bursts)]),
    ...(shrinking.length === 0 ? [] : ['## Shrinking', sites(shrinking)]),
    `All other sites together: ${formatDifference(answer.others_growth, 'bytes')}.`,
  ].join('\n\n')
}

function verdictInWords({ verdict, growing, head }: Answer): string {
  const [worst] = growing
  if (worst === undefined) return '**No leak seen**: no site keeps more than before beyond the threshold.'
  const kept =
    worst.kept_percent === null
      ? ''
      : ` It kept ${worst.kept_percent.toFixed(0)} % of what it allocated in between.`
  const likely = verdict === 'leak_likely' ? 'likely' : 'possible, but the growth may be chance'
  return (
    `**A leak is ${likely}**: ${siteInWords(worst)} keeps ${formatBytes(worst.growth)} more.${kept} Two profiles cannot tell a ` +
    'leak from a cache that still fills: take three or more, with the same work in between, for analyze_heap_time_series. ' +
    `query_flamegraph with profile_id ${head.profile_id}, sample_type inuse_space and ${worst.function_name} as ` +
    'root_function_name shows what is kept.'
  )
}

function sites(rows: readonly Site[]): string {
  return table(
    [
      'Site',
      { title: 'In use', right: true },
      { title: 'Growth', right: true },
      { title: 'Objects', right: true },
      { title: 'Allocated', right: true },
      { title: 'Kept', right: true },
      'Sure',
    ],
    rows.map((site) => [
      siteInWords(site),
      `${formatBytes(site.base_in_use)} → ${formatBytes(site.head_in_use)}`,
      formatDifference(site.growth, 'bytes'),
      site.object_growth,
      site.allocated === null ? null : formatBytes(site.allocated),
      site.kept_percent === null ? null : `${site.kept_percent.toFixed(0)} %`,
      site.is_sure ? 'yes' : Math.abs(site.growth) > 0 ? 'may be chance' : null,
    ]),
    '',
  )
}
