import { ApiProblem } from '@flamegate/client'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ProblemNote } from './problem-note.tsx'

interface Props<T> {
  query: UseQueryResult<T>
  /** Shown while the first answer is on its way; has the size of what comes. */
  skeleton: ReactNode
  children: (answer: T) => ReactNode
}

/** Shows an answer, or its skeleton, or what went wrong with a way to try again. */
export function Answer<T>({ query, skeleton, children }: Props<T>) {
  if (query.data !== undefined) {
    return (
      <div
        aria-busy={query.isPlaceholderData}
        className={query.isPlaceholderData ? 'being-replaced' : undefined}
      >
        {children(query.data)}
      </div>
    )
  }
  if (query.error !== null) {
    return isFinal(query.error) ? (
      <ProblemNote error={query.error} />
    ) : (
      <ProblemNote error={query.error} onRetry={() => void query.refetch()} />
    )
  }
  return (
    <div aria-busy="true">
      <span className="sr-only">Loading</span>
      {skeleton}
    </div>
  )
}

/** A refusal stays one, however often it is asked. */
function isFinal(error: Error): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429
}
