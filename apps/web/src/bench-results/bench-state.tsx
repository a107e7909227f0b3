import { type BenchResultState, hasBenchEnded, type operations, type AnswerOf } from '@flamegate/contract'
import { Badge, type Tone } from '../components/badge.tsx'

export type BenchResult = AnswerOf<typeof operations.getBenchResult>['bench_result']

const looks: Record<BenchResultState, { tone: Tone; words: string }> = {
  PENDING: { tone: 'accent', words: 'waiting' },
  PREPARING: { tone: 'accent', words: 'preparing' },
  RUNNING: { tone: 'accent', words: 'running' },
  STOPPING: { tone: 'accent', words: 'stopping' },
  FINISHED: { tone: 'better', words: 'finished' },
  ABORTED: { tone: 'caution', words: 'stopped' },
  ERROR: { tone: 'worse', words: 'failed' },
}

/** How a load test ended, or how far it is. */
export function BenchState({ state, is_degraded }: Pick<BenchResult, 'state' | 'is_degraded'>) {
  const { tone, words } = looks[state]
  return (
    <>
      <Badge tone={tone}>{words}</Badge>
      {is_degraded ? <Badge tone="caution">degraded</Badge> : null}
    </>
  )
}

export function isOver({ state }: Pick<BenchResult, 'state'>): boolean {
  return hasBenchEnded(state)
}
