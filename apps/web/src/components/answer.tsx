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
  if (query.error !== null) return <NoAnswer query={query} />
  return <Loading>{skeleton}</Loading>
}

/** In place of what is on its way: something of its size, which says so to whoever does not see it. */
export function Loading({ children }: { children: ReactNode }) {
  return (
    <div aria-busy="true">
      <span className="sr-only">Loading</span>
      {children}
    </div>
  )
}

/**
 * Says why there is no answer, with a way to try again. A page that shows parts of one before it has all asks for `isLoadingError`,
 * because an answer that could only not be renewed is still one.
 */
export function NoAnswer({ query: { error, refetch } }: { query: UseQueryResult }) {
  return isFinal(error) ? (
    <ProblemNote error={error} />
  ) : (
    <ProblemNote error={error} onRetry={() => void refetch()} />
  )
}

/** A refusal stays one, however often it is asked. */
export function isFinal(error: unknown): boolean {
  return error instanceof ApiProblem && error.status >= 400 && error.status < 500 && error.status !== 429
}
