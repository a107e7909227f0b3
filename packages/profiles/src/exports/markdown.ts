import { sampleTypeOf, selfValuesOf, type Profile } from '../profile.ts'
import { renderFlameGraphSummary } from '../questions/flame-graph-markdown.ts'
import { summarizeFlameGraph } from '../questions/flame-graph-summary.ts'
import { formatValue } from '../questions/format-value.ts'

/** How much of the call tree a report shows. */
const report = { maxEntries: 200, minPercent: 0.5 }

/** A report for people and models: the facts, the functions that cost most, and the largest part of the call tree. */
export function exportMarkdown(
  profile: Profile,
  options: { name: string; sampleTypeIndex?: number },
): Uint8Array {
  const { type, unit } = sampleTypeOf(profile, options.sampleTypeIndex)
  const totals = profile.sampleTypes.map((each, index) => {
    const total = selfValuesOf(profile, index).reduce((sum, value) => sum + value, 0)
    return `${each.type} ${formatValue(total, each.unit)}`
  })
  const { labels, threads, durationMs, startedAt, warnings } = profile
  const text = renderFlameGraphSummary(
    summarizeFlameGraph(profile, { sampleTypeIndex: options.sampleTypeIndex, ...report }),
    {
      profile: options.name,
      format: profile.format,
      sample_type: `${type} (${unit})`,
      totals: totals.join(', '),
      ...(durationMs === undefined ? {} : { duration: formatValue(durationMs, 'milliseconds') }),
      ...(startedAt === undefined ? {} : { started_at: startedAt }),
      samples: formatValue(profile.sampleCount, 'count'),
      ...(labels.length === 0 ? {} : { labels: labels.map(({ name }) => name).join(', ') }),
      ...(threads.length === 0 ? {} : { threads: String(threads.length) }),
      ...(warnings.length === 0 ? {} : { warnings: warnings.join(' ') }),
    },
  )
  return new TextEncoder().encode(text)
}
