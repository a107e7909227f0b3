import { TimeHistogram } from '../bench-results/time-distribution.tsx'
import { HistogramOverlay } from '../charts/histogram-overlay.tsx'
import { PercentileCurves } from '../charts/percentile-curves.tsx'
import type { ValuesOf } from './report-source.ts'

/** How response times are distributed, of one run or of several over one another. */
export function DistributionItem({ values: { form, runs } }: { values: ValuesOf<'distribution'> }) {
  const [first, second] = runs
  if (first === undefined) return <p className="text-muted">Nothing was measured yet.</p>
  return (
    <div className="grid gap-4 lg:grid-cols-2 printed:grid-cols-2 printed:gap-3">
      {form === 'percentiles' ? null : second === undefined ? (
        <TimeHistogram distribution={first.bars} />
      ) : (
        <HistogramOverlay
          title="Distribution of response times"
          runs={runs.map(({ run, bars }) => ({ name: run.name, bars }))}
        />
      )}
      {form === 'histogram' ? null : (
        <PercentileCurves
          title="Percentiles of response times"
          note={`Of ${runs.map(({ count }) => count.toLocaleString('en')).join(' and ')} requests.`}
          curves={runs.map(({ run, percentiles }) => ({ name: run.name, percentiles }))}
        />
      )}
    </div>
  )
}
