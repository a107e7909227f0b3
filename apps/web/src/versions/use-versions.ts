import type { AnswerOf, operations } from '@flamegate/contract'
import { keepPreviousData, useInfiniteQuery, type UseInfiniteQueryResult } from '@tanstack/react-query'

type Versions = Pick<AnswerOf<typeof operations.listDesignObjectVersions>, 'versions' | 'next_before'>
export type Version = Versions['versions'][number]
export type VersionsQuery = UseInfiniteQueryResult<Version[]>

export const versionsPerPage = 50

/** Versions of a document, newest first, page by page; the first part of the key is the operation that lists them. */
export function useVersions(
  key: readonly [operation: string, id: string],
  read: (before: number | undefined, signal: AbortSignal) => Promise<Versions>,
): VersionsQuery {
  const [operation, id] = key
  return useInfiniteQuery({
    queryKey: [operation, 'pages', id],
    queryFn: ({ pageParam, signal }) => read(pageParam, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })
}
