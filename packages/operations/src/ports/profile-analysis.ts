import type { PartOfProfile, Question, QuestionAnswer, QuestionName } from '@flamegate/profiles'

/** A question to stored profiles, and how to come by what it needs. */
export interface AskedQuestion<Name extends QuestionName> extends Question<Name> {
  /** About how many nodes of call trees and rows of details it is about; Infinity when not known. */
  size: number
  /** The bytes of a part, for this question only; undefined when there is none. */
  read: (part: PartOfProfile) => Promise<Uint8Array | undefined>
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal | undefined
}

/**
 * Answers questions to stored profiles, and keeps what it decoded for those that come next. A large profile holds up nothing but
 * other questions.
 * @throws what the question throws, and Problem `too_large`, `unavailable` when it takes too long, or many wait already
 */
export interface ProfileAnalysis {
  ask<Name extends QuestionName>(question: AskedQuestion<Name>): Promise<QuestionAnswer<Name>>
}
