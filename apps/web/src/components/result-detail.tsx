import { type AnswerOf, formatQuantity, operations } from '@flamegate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useAnswer } from '../api.ts'
import { DistributionPlot } from '../charts/distribution-plot.tsx'
import { hasSpread } from '../charts/spread.ts'
import { Answer } from './answer.tsx'
import { buttonClass } from './button.tsx'
import { Facts } from './facts.tsx'
import { FlameIcon } from './icons.tsx'
import { Section } from './section.tsx'
import { SkeletonBlock } from './skeleton.tsx'
import { Warnings } from './warnings.tsx'

type Result = AnswerOf<typeof operations.getBenchmarkResult>

interface Props {
  runId: string
  benchmarkId: string
  /** Says which run, such as its commit. */
  caption: ReactNode
}

/** Everything that one run says of one benchmark. */
export function ResultDetail({ runId, benchmarkId, caption }: Props) {
  const query = useAnswer(
    operations.getBenchmarkResult,
    { run_id: runId, benchmark: benchmarkId, include_rounds: true },
    { keepPrevious: true },
  )
  return (
    <Section
      title="Result"
      aside={
        <span className="flex flex-wrap gap-2">
          <Link to="/runs/$runId" params={{ runId }} className={buttonClass('secondary')}>
            The run
          </Link>
          <Link
            to="/compare"
            search={{ base: 'baseline', head: runId, benchmark: benchmarkId }}
            className={buttonClass('secondary')}
          >
            Compare with baseline
          </Link>
        </span>
      }
    >
      <div className="flex flex-col gap-5 rounded-lg border border-line bg-surface p-4">
        <div className="text-muted">{caption}</div>
        <Answer query={query} skeleton={<SkeletonBlock height="9rem" />}>
          {(answer) => <Distribution answer={answer} />}
        </Answer>
      </div>
    </Section>
  )
}

function Distribution({ answer }: { answer: Result }) {
  const { result, round_values, known_issues, flame_graph } = answer
  const { stats } = result
  const measured = { value: result.value, rounds: round_values, stats }
  const quantity = (value: number | undefined) =>
    value === undefined ? null : formatQuantity(value, result.unit)
  return (
    <div className="flex flex-col gap-5">
      <Warnings warnings={known_issues.map(({ explanation }) => explanation)} />
      <Facts
        entries={{
          Value: <strong className="font-semibold">{formatQuantity(result.value, result.unit)}</strong>,
          Mean: quantity(stats.mean),
          Median: quantity(stats.median),
          'Standard deviation': quantity(stats.stdev),
          Least: quantity(stats.min),
          Most: quantity(stats.max),
          Rounds: stats.rounds?.toLocaleString(),
          'Iterations per round': stats.iterations_per_round?.toLocaleString(),
          'Time in all': stats.total_time_ms === undefined ? null : formatQuantity(stats.total_time_ms, 'ms'),
          ...Object.fromEntries(
            result.metrics.map(({ name, value, unit, better_when }) => [
              `${sentence(name)}${better_when === 'higher' ? ' (higher is better)' : ''}`,
              formatQuantity(value, unit),
            ]),
          ),
        }}
      />
      {hasSpread(measured) ? (
        <DistributionPlot sides={[{ name: 'Rounds', measured }]} unit={result.unit} />
      ) : null}
      {flame_graph.profile_ids.length === 0 ? null : (
        <div className="flex flex-wrap gap-2">
          {flame_graph.profile_ids.map((profileId, index) => (
            <Link
              key={profileId}
              to="/profiles/$profileId"
              params={{ profileId }}
              className={buttonClass('secondary')}
            >
              <FlameIcon />
              {index === 0 ? 'Flame graph' : `Flame graph ${index + 1}`}
            </Link>
          ))}
        </div>
      )}
    </div>
  )
}

/** `user_time` as `User time`. */
function sentence(name: string): string {
  const words = name.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
