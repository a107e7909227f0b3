import {
  formatBytes,
  formatDifference,
  formatDurationNs,
  table,
  type operations,
  type OutputOf,
} from '@flamegate/contract'
import { siteInWords } from './heap-site-on-wire.ts'

type Answer = Omit<OutputOf<typeof operations.analyzeHeapTimeSeries>, 'report'>
type Site = Answer['growing'][number]
type Trend = Answer['whole']

/** The trends of a series of heap profiles, as markdown, with what to do about them. */
export function heapSeriesReport(answer: Answer): string {
  const { whole, growing, levelled_off: levelled, bursts, shrinking, series } = answer
  return [
    `# Heap: ${formatDifference(whole.growth, 'bytes')} in ${formatDurationNs(answer.seconds * 1e9)}`,
    `${series.length} profiles; in use ${formatBytes(whole.in_use[0] ?? 0)} → ${formatBytes(whole.in_use.at(-1) ?? 0)}, ` +
      `${slopeInWords(whole)} (${whole.certainty}). After as much time again: ${projectionInWords(whole)}.`,
    verdictInWords(answer),
    answer.notes.map((note) => `- ${note}`).join('\n'),
    ...section('Growing', growing),
    ...section('Levelled off: grew, and then no more', levelled),
    ...section('Bursts, which are freed', bursts),
    ...section('Shrinking', shrinking),
    `All other sites together: ${formatDifference(answer.others_growth, 'bytes')}.`,
  ].join('\n\n')
}

function verdictInWords({ growing, series }: Answer): string {
  const [worst] = growing
  if (worst === undefined) return '**No leak seen**: no site grows on and on.'
  return (
    `**A leak is ${worst.certainty}**: ${siteInWords(worst)} grows by ${slopeInWords(worst)}, ` +
    `in ${worst.rising_percent.toFixed(0)} % of the steps. query_flamegraph with profile_id ` +
    `${series.at(-1)?.profile_id}, sample_type inuse_space and ${worst.function_name} as root_function_name shows what is kept.`
  )
}

function section(title: string, sites: readonly Site[]): string[] {
  if (sites.length === 0) return []
  return [
    `## ${title}`,
    table(
      [
        'Site',
        { title: 'In use', right: true },
        { title: 'Growth', right: true },
        { title: 'Slope', right: true },
        { title: 'Rising', right: true },
        'Certainty',
        { title: 'As much time again', right: true },
        { title: 'Allocated', right: true },
      ],
      sites.map((site) => [
        siteInWords(site),
        `${formatBytes(site.in_use[0] ?? 0)} → ${formatBytes(site.in_use.at(-1) ?? 0)}`,
        formatDifference(site.growth, 'bytes'),
        slopeInWords(site),
        `${site.rising_percent.toFixed(0)} %`,
        site.growth === 0 ? null : site.certainty,
        projectionInWords(site),
        site.allocated === null ? null : formatBytes(site.allocated),
      ]),
      '',
    ),
  ]
}

function slopeInWords({
  slope_per_hour: slope,
  slope_low_per_hour: low,
  slope_high_per_hour: high,
}: Trend): string {
  const interval =
    low === null || high === null
      ? ''
      : ` (95 %: ${formatDifference(low, 'bytes')} to ${formatDifference(high, 'bytes')})`
  return `${formatDifference(slope, 'bytes')}/h${interval}`
}

function projectionInWords({
  projected_in_use: value,
  projected_low: low,
  projected_high: high,
}: Trend): string {
  const interval = low === null || high === null ? '' : ` (${formatBytes(low)} to ${formatBytes(high)})`
  return `${formatBytes(value)}${interval}`
}
