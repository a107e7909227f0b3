import { formatChangePercent, formatQuantity } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { intervalScale } from '../charts/interval-scale.ts'
import { Button, buttonClass } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { DistributionPair } from './distribution-pair.tsx'
import { Explanation } from './explanation.tsx'
import { FlameIcon } from './icons.tsx'
import { IntervalBar, intervalWords } from './interval-bar.tsx'
import { nextStep } from './next-step.ts'
import { type Compared, VerdictBadge } from './verdict.tsx'

interface Props {
  row: Compared
  baseRunId: string
  headRunId: string
  /** The functions behind the change are shown at once. */
  explains: boolean
  onClose: () => void
}

/** One benchmark of a comparison: verdict and why, both distributions, and what the change comes from. */
export function ComparedDialog({ row, baseRunId, headRunId, explains, onClose }: Props) {
  const [isExplained, setExplained] = useState(explains)
  const next = nextStep(row.verdict)
  const quantity = (value: number | null) => (value === null ? '–' : formatQuantity(value, row.unit))
  const runIds = { baseRunId, headRunId }
  return (
    <Dialog title={row.name} isOpen onClose={onClose} wide>
      <p className="text-sm break-all text-muted">
        {row.uri} · {row.instrument} · {row.metric}
      </p>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <VerdictBadge verdict={row.verdict} betterWhen={row.better_when} />
        <span className="text-lg font-medium tabular-nums">
          {quantity(row.base_value)} → {quantity(row.head_value)}
          {row.change_percent === null ? '' : `, ${formatChangePercent(row.change_percent)}`}
        </span>
        {row.change_percent === null ? null : (
          <span className="flex flex-wrap items-center gap-x-3 text-muted">
            <IntervalBar row={row} scalePercent={intervalScale([row], Infinity)} />
            <span aria-hidden="true">{intervalWords(row)}</span>
          </span>
        )}
      </div>
      <p>{row.reason}</p>
      {next === undefined ? null : (
        <p>
          <strong className="font-semibold">What to do: </strong>
          {next}
        </p>
      )}
      <DistributionPair row={row} {...runIds} />
      {row.has_base_profile && row.has_head_profile ? (
        isExplained ? (
          <section aria-label="Explanation" className="flex flex-col gap-2 border-t border-line pt-4">
            <h3 className="font-semibold">Where the change comes from</h3>
            <Explanation {...runIds} benchmarkId={row.benchmark_id} />
          </section>
        ) : (
          <Button variant="primary" className="self-start" onPress={() => setExplained(true)}>
            Explain the change
          </Button>
        )
      ) : null}
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        <Link
          to="/benchmarks/$benchmarkId"
          params={{ benchmarkId: row.benchmark_id }}
          search={{ run: row.head_value === null ? baseRunId : headRunId }}
          className={buttonClass('secondary')}
        >
          History
        </Link>
        {row.has_base_profile && row.has_head_profile ? (
          <Link
            to="/profiles/compare"
            search={{ base: baseRunId, head: headRunId, benchmark: row.benchmark_id }}
            className={buttonClass('secondary')}
          >
            <FlameIcon />
            Both flame graphs as one
          </Link>
        ) : null}
        {row.has_base_profile ? <FlameButton label="Base" runId={baseRunId} uri={row.uri} /> : null}
        {row.has_head_profile ? <FlameButton label="Head" runId={headRunId} uri={row.uri} /> : null}
      </div>
    </Dialog>
  )
}

function FlameButton({ label, runId, uri }: { label: string; runId: string; uri: string }) {
  return (
    <Link
      to="/runs/$runId/flame-graph"
      params={{ runId }}
      search={{ benchmark: uri }}
      className={buttonClass('secondary')}
    >
      <FlameIcon />
      {label} flame graph
    </Link>
  )
}
