import type { AnswerOf, operations } from '@flamegate/contract'
import { Badge, type Tone } from '../components/badge.tsx'

export type Validation = AnswerOf<typeof operations.listValidations>['validations'][number]

const looks: Record<Validation['state'], { tone: Tone; words: string }> = {
  PENDING: { tone: 'accent', words: 'waiting' },
  RUNNING: { tone: 'accent', words: 'running' },
  PASSED: { tone: 'better', words: 'passed' },
  FAILED: { tone: 'worse', words: 'failed' },
  ERROR: { tone: 'worse', words: 'ended early' },
  CANCELLED: { tone: 'plain', words: 'cancelled' },
}

/** How a validation ended, or how far it is. */
export function ValidationState({ state }: { state: Validation['state'] }) {
  const { tone, words } = looks[state]
  return <Badge tone={tone}>{words}</Badge>
}

export function isOver({ state }: Validation): boolean {
  return state !== 'PENDING' && state !== 'RUNNING'
}
