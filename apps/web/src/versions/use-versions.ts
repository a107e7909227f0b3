import type { AnswerOf, Operation, operations } from '@flamegate/contract'
import {
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query'

type Versions = Pick<AnswerOf<typeof operations.listDesignObjectVersions>, 'versions' | 'next_before'>
export type Version = Versions['versions'][number]

interface Asked {
  limit: number
  before_version?: number | undefined
  compare?: string
}

/** What is asked about the versions of one document. */
export interface VersionsSource<Change> {
  /** The operation that lists them. */
  listing: Pick<Operation, 'id'>
  documentId: string
  read: (asked: Asked, signal: AbortSignal) => Promise<Versions & Comparison<Change>>
}

interface Comparison<Change> {
  changes: readonly Change[] | null
  change_count: number | null
}

const versionsPerPage = 50

/** Versions of a document, newest first, page by page. */
export function useVersions<Change>({
  listing,
  documentId,
  read,
}: VersionsSource<Change>): UseInfiniteQueryResult<Version[]> {
  return useInfiniteQuery({
    queryKey: [listing.id, 'pages', documentId],
    queryFn: ({ pageParam, signal }) => read({ limit: versionsPerPage, before_version: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })
}

/** How two versions of it differ. */
export function useComparison<Change>(
  { listing, documentId, read }: VersionsSource<Change>,
  from: number,
  to: number,
) {
  return useQuery({
    queryKey: [listing.id, 'compared', documentId, from, to],
    queryFn: ({ signal }) => read({ limit: 1, compare: `${from}..${to}` }, signal),
    placeholderData: keepPreviousData,
  })
}
