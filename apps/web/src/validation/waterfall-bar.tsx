import { type Axis, phases, segmentsOf, spanOf } from './phases.ts'
import type { ActionRow } from './result-tree.ts'

const tones = { passed: 'bg-line-strong', failed: 'bg-worse', skipped: 'bg-line' } as const

/** When an action was at work, on the axis of all; exchanges show their phases, embedded resources as thin lines. */
export function WaterfallBar({ row, axis }: { row: ActionRow; axis: Axis }) {
  const { left, width } = spanOf(axis, Date.parse(row.started_at), row.duration_ms)
  return (
    <span aria-hidden="true" className="relative block h-5 w-full">
      <span
        className={`absolute top-1/2 h-px min-w-[3px] -translate-y-1/2 ${tones[row.outcome]} ${row.exchanges.length === 0 ? 'h-1 rounded-full' : ''}`}
        style={{ left: `min(${left}%, calc(100% - 3px))`, width: `${width}%` }}
      />
      {row.exchanges.flatMap(({ role, started_at, timings_ms }, index) =>
        segmentsOf(axis, started_at, timings_ms).map(({ phase, left: from, width: size }) => (
          <span
            key={`${index} ${phase.key}`}
            className={`absolute min-w-px ${role === 'resource' ? 'bottom-0 h-1 opacity-70' : 'inset-y-1'}`}
            style={{ left: `${from}%`, width: `${size}%`, backgroundColor: phase.color }}
          />
        )),
      )}
    </span>
  )
}

/** Which colour stands for what. */
export function PhaseLegend() {
  return (
    <ul aria-label="Phases" className="flex flex-wrap gap-x-4 gap-y-1 text-sm text-muted">
      {phases.map(({ key, label, color }) => (
        <li key={key} className="flex items-center gap-1.5">
          <span className="size-2.5 rounded-sm" style={{ backgroundColor: color }} />
          {label}
        </li>
      ))}
    </ul>
  )
}
