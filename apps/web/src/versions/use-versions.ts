import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, Operation, operations, RawInputOf } from '@flamegate/contract'
import {
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
} from '@tanstack/react-query'
import { client } from '../api.ts'

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
  /** Which document. */
  input: object
  read: (asked: Asked, signal: AbortSignal) => Promise<Versions & Comparison<Change>>
}

interface Comparison<Change> {
  changes: readonly Change[] | null
  change_count: number | null
}

const versionsPerPage = 50

/** The versions of the document that an operation lists them of by this input. */
export function versionsOf<O extends AnyOperation>(listing: O, input: RawInputOf<O>) {
  return {
    listing,
    input,
    read: (asked: Asked, signal: AbortSignal) => client.call(listing, { ...input, ...asked }, { signal }),
  }
}

/** Versions of a document, newest first, page by page. */
export function useVersions<Change>({
  listing,
  input,
  read,
}: VersionsSource<Change>): UseInfiniteQueryResult<Version[]> {
  return useInfiniteQuery({
    queryKey: [listing.id, 'pages', input],
    queryFn: ({ pageParam, signal }) => read({ limit: versionsPerPage, before_version: pageParam }, signal),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ next_before }) => next_before ?? undefined,
    placeholderData: keepPreviousData,
    select: ({ pages }) => pages.flatMap(({ versions }) => versions),
  })
}

/**
 * How two versions of it differ.
 * @param limit How many of its newest versions are told as well
 */
export function useComparison<Change>(
  { listing, input, read }: VersionsSource<Change>,
  from: number,
  to: number,
  limit = 1,
) {
  return useQuery({
    queryKey: [listing.id, 'compared', input, from, to, limit],
    queryFn: ({ signal }) => read({ limit, compare: `${from}..${to}` }, signal),
    placeholderData: keepPreviousData,
  })
}
