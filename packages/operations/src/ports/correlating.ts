import type {
  Correlated,
  CorrelationRule,
  FailedCandidate,
  LikelyCause,
  RecordingIndex,
  Suggestions,
  VirtualUser,
} from '@flamegate/loadtest'

/** Exchanges in a file, and where in it each is. */
export interface ExchangeFile<Bytes> {
  bytes: Bytes
  index: RecordingIndex
}

/** What a validation saw: outcomes, and places of the main exchanges, by the ids of actions. */
export interface ReplayFile<Bytes> extends ExchangeFile<Bytes> {
  actions: ReadonlyMap<string, { outcome: 'passed' | 'failed' | 'skipped'; place: number | null }>
}

/** What can be asked of a virtual user's recording and its replays: the parameters of each question, and its answer. */
interface Questions {
  suggestions: { params: { taken: readonly string[] }; answer: Suggestions }
  /** The suggestions with these ids, or all that are sure enough; `missing`: ids of none. */
  applied_suggestions: {
    params: { taken: readonly string[]; ids: readonly string[] | null; confidenceMin: number }
    answer: Correlated & { missing: string[] }
  }
  applied_rules: {
    params: { taken: readonly string[]; rules: readonly CorrelationRule[] }
    answer: Correlated
  }
  likely_causes: { params: { results: readonly FailedCandidate[] }; answer: LikelyCause[] }
}

export type CorrelationQuestionName = keyof Questions
export type CorrelationAnswer<Name extends CorrelationQuestionName> = Questions[Name]['answer']

export interface CorrelationQuestion<Name extends CorrelationQuestionName, Bytes> {
  name: Name
  params: Questions[Name]['params']
  document: VirtualUser
  recording: ExchangeFile<Bytes>
  /** The newest first. */
  replays: readonly ReplayFile<Bytes>[]
}

/**
 * Looks for dynamic values in recordings, aside from what answers requests: patterns are what somebody wrote, and bodies what
 * somebody's server answered, so nobody knows how long it takes.
 * @throws Problem `too_large`, `unavailable` when it takes too long, or many wait already
 */
export interface Correlating {
  /** Files are read when it is their turn. */
  ask<Name extends CorrelationQuestionName>(
    question: CorrelationQuestion<Name, () => Promise<Uint8Array>>,
  ): Promise<CorrelationAnswer<Name>>
}
