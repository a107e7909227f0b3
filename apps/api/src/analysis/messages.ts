import type { ErrorData, PartOfProfile, Question, StoredPart } from '@flamegate/profiles/analysis'

/** What an analysis thread is sent: a question, and what it said that it has not for it. */
export interface AnalysisRequest {
  question: Question
  given: StoredPart[]
}

export type AnalysisReply = { answer: unknown } | { missing: PartOfProfile[] } | { error: ErrorData }
