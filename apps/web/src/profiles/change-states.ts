import type { AnswerOf, operations } from '@flamegate/contract'
import type { Tone } from '../components/badge.tsx'

export type ChangeState = keyof AnswerOf<typeof operations.compareProfiles>['counts']

/** What became of functions, what somebody looks for first. */
export const changeStates: readonly ChangeState[] = ['worse', 'added', 'better', 'removed', 'same']

export const changeTones: Readonly<Record<ChangeState, Tone>> = {
  worse: 'worse',
  added: 'caution',
  better: 'better',
  removed: 'accent',
  same: 'plain',
}
