import { type AnswerOf, operations } from '@flamegate/contract'
import { useAnswer } from '../api.ts'
import { DistributionPlot } from '../charts/distribution-plot.tsx'
import { Answer } from './answer.tsx'
import { SkeletonBlock } from './skeleton.tsx'
import type { Compared } from './verdict.tsx'
import { Warnings } from './warnings.tsx'

type Result = AnswerOf<typeof operations.getBenchmarkResult>

interface Props {
  row: Compared
  baseRunId: string
  headRunId: string
}

/** The rounds of a benchmark in two runs above one another, with what makes either less sure. */
export function DistributionPair({ row, baseRunId, headRunId }: Props) {
  const ask = (runId: string) => ({ run_id: runId, benchmark: row.benchmark_id, include_rounds: true })
  const hasBase = row.base_value !== null
  const hasHead = row.head_value !== null
  const base = useAnswer(operations.getBenchmarkResult, ask(baseRunId), { enabled: hasBase })
  const head = useAnswer(operations.getBenchmarkResult, ask(headRunId), { enabled: hasHead })
  const skeleton = <SkeletonBlock height="12rem" />
  if (!hasBase) return <Answer {...{ query: head, skeleton }}>{(answer) => <Sides head={answer} />}</Answer>
  if (!hasHead) return <Answer {...{ query: base, skeleton }}>{(answer) => <Sides base={answer} />}</Answer>
  return (
    <Answer query={base} skeleton={skeleton}>
      {(baseAnswer) => (
        <Answer query={head} skeleton={skeleton}>
          {(headAnswer) => <Sides base={baseAnswer} head={headAnswer} />}
        </Answer>
      )}
    </Answer>
  )
}

function Sides({ base, head }: { base?: Result; head?: Result }) {
  const sides = [
    ...(base === undefined ? [] : [{ name: 'Base', answer: base }]),
    ...(head === undefined ? [] : [{ name: 'Head', answer: head }]),
  ]
  const units = new Set(sides.map(({ answer }) => answer.result.unit))
  const issues = sides.flatMap(({ name, answer }) =>
    answer.known_issues.map(({ explanation }) => `${name}: ${explanation}`),
  )
  const drawn = sides.map(({ name, answer: { result, round_values } }) => ({
    name,
    measured: { value: result.value, rounds: round_values, stats: result.stats },
    unit: result.unit,
  }))
  return (
    <div className="flex flex-col gap-4">
      <Warnings warnings={issues} />
      {/* Results in different units have no axis in common. */}
      {units.size <= 1 ? (
        <DistributionPlot sides={drawn} unit={drawn[0]?.unit ?? ''} />
      ) : (
        drawn.map((side) => <DistributionPlot key={side.name} sides={[side]} unit={side.unit} />)
      )}
    </div>
  )
}
