import { SlaList } from '../bench-results/sla-results.tsx'
import { ThresholdList } from '../bench-results/threshold-results.tsx'
import type { ValuesOf } from './report-source.ts'

/** Thresholds of the scenario and bands of SLA profiles, held against what was measured. */
export function ThresholdsItem({ values: { thresholds, bands } }: { values: ValuesOf<'thresholds'> }) {
  if (thresholds.length === 0 && bands.length === 0)
    return <p className="text-muted">The scenario has no thresholds, and nothing of it has an SLA profile.</p>
  return (
    <div className="flex flex-col gap-3">
      <ThresholdList thresholds={thresholds} />
      <SlaList verdicts={bands} />
    </div>
  )
}
