import { TimeHistogram } from '../bench-results/time-distribution.tsx'
import { HistogramOverlay } from '../charts/histogram-overlay.tsx'
import { PercentileCurves } from '../charts/percentile-curves.tsx'
import { runsLeftOutWords } from './left-out-words.ts'
import type { ValuesOf } from './report-source.ts'

/** How response times are distributed, of one run or of several over one another. */
export function DistributionItem({ values }: { values: ValuesOf<'distribution'> }) {
  const { form, runs, runs_left_out: runsLeftOut } = values
  const [first, second] = runs
  if (first === undefined) return <p className="text-muted">Nothing was measured yet.</p>
  return (
    <div className="grid gap-4 lg:grid-cols-2 printed:grid-cols-2 printed:gap-3">
      {runsLeftOut === 0 ? null : (
        <p className="col-span-full text-sm text-muted">{runsLeftOutWords(runsLeftOut)}</p>
      )}
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
