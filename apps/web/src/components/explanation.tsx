import { type AnswerOf, formatDifference, formatQuantity, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { divergingBar, largestDifference } from '../charts/diverging-scale.ts'
import { Answer } from './answer.tsx'
import { SkeletonTable } from './skeleton.tsx'

type Explained = AnswerOf<typeof operations.explainRegression>
type ExplainedFunction = Explained['functions'][number]

interface Props {
  baseRunId: string
  headRunId: string
  benchmarkId: string
}

/** Which functions a benchmark's change comes from, by the profiles of both runs. */
export function Explanation({ baseRunId, headRunId, benchmarkId }: Props) {
  const query = useAnswer(operations.explainRegression, {
    base_run_id: baseRunId,
    head_run_id: headRunId,
    benchmark: benchmarkId,
    limit: 20,
  })
  return (
    <Answer query={query} skeleton={<SkeletonTable rows={5} />}>
      {(explained) => <FunctionBars explained={explained} />}
    </Answer>
  )
}

function FunctionBars({ explained }: { explained: Explained }) {
  const { functions, others_difference: others, change, unit } = explained
  const largest = largestDifference([...functions.map(({ difference }) => difference), others])
  return (
    <div className="flex flex-col gap-3">
      <p>
        {formatDifference(change, unit)} from {formatQuantity(explained.base_value, unit)} to{' '}
        {formatQuantity(explained.head_value, unit)}, by what each function itself adds or takes away:
      </p>
      <ul className="flex flex-col">
        {functions.map((each) => (
          <FunctionBar key={`${each.name} ${each.file ?? ''}`} each={each} largest={largest} unit={unit} />
        ))}
        <li className={rowClass}>
          <span className="text-muted">All other functions</span>
          <Bar difference={others} largest={largest} unit={unit} />
        </li>
      </ul>
    </div>
  )
}

const rowClass =
  'grid items-center gap-x-4 gap-y-1 border-t border-line py-1.5 first:border-t-0 sm:grid-cols-[minmax(0,1fr)_minmax(14rem,1fr)]'

function FunctionBar({ each, largest, unit }: { each: ExplainedFunction; largest: number; unit: string }) {
  const { name, file, origin, base_self, head_self, difference, state } = each
  return (
    <li
      className={rowClass}
      title={`${formatQuantity(base_self, unit)} before, ${formatQuantity(head_self, unit)} after`}
    >
      <span className="min-w-0">
        <code className="block truncate font-medium">{name}</code>
        <span className="block truncate text-sm text-muted">
          {state === 'added' || state === 'removed' ? `${state} · ` : ''}
          {file ?? origin}
        </span>
      </span>
      <Bar difference={difference} largest={largest} unit={unit} />
    </li>
  )
}

/** What takes more goes right, what takes less goes left. */
function Bar({ difference, largest, unit }: { difference: number; largest: number; unit: string }) {
  const { left, width } = divergingBar(difference, largest)
  return (
    <span className="flex items-center gap-3">
      <span aria-hidden="true" className="relative h-5 min-w-0 grow">
        <span className="absolute inset-y-0 left-1/2 border-l border-line-strong/60" />
        <span
          className={`absolute inset-y-1 rounded-sm ${difference > 0 ? 'bg-worse' : 'bg-better'}`}
          style={{ left: `${left}%`, width: `${width}%` }}
        />
      </span>
      <span className="w-20 shrink-0 text-right tabular-nums">{formatDifference(difference, unit)}</span>
    </span>
  )
}
