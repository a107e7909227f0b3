import { Link } from '@tanstack/react-router'
import { FlameIcon } from './icons.tsx'

interface Props {
  label: string
  runId: string
  /** Uri of the benchmark. */
  benchmark: string
  /** Name of the benchmark, for assistive technology. */
  name: string
}

/** Leads to the flame graph of a benchmark in a run; lies above its row's own link. */
export function FlameLink({ label, runId, benchmark, name }: Props) {
  return (
    <Link
      to="/runs/$runId/flame-graph"
      params={{ runId }}
      search={{ benchmark }}
      aria-label={`${label}: flame graph of ${name}`}
      className="relative z-10 inline-flex items-center gap-1 rounded-sm px-1.5 py-0.5 whitespace-nowrap text-accent hover:bg-hover"
    >
      <FlameIcon />
      {label}
    </Link>
  )
}
