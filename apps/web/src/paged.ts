import type { AnyOperation } from '@flamegate/client'
import type { AnswerOf, RawInputOf } from '@flamegate/contract'
import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
} from '@tanstack/react-query'
import { client } from './api.ts'

/**
 * Answers of a listing, page after page; `next_cursor` leads from one to the next.
 * @param isLive Whether they are asked for again when the page hears that there is something new (`useNews`)
 */
export function usePages<O extends AnyOperation, Row>(
  operation: O,
  input: RawInputOf<O>,
  page: (answer: AnswerOf<O>) => { rows: readonly Row[]; nextCursor: string | null },
  isLive = false,
) {
  const query = useInfiniteQuery({
    queryKey: [operation.id, 'pages', input],
    meta: { isLive },
    queryFn: ({ pageParam, signal }) => client.call(operation, { ...input, cursor: pageParam }, { signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (answer: AnswerOf<O>) => page(answer).nextCursor ?? undefined,
    placeholderData: keepPreviousData<InfiniteData<AnswerOf<O>, string | undefined>>,
    select: ({ pages }) => pages.flatMap((answer) => page(answer).rows),
  })
  return { query, more: moreOf(query) }
}

/** What `LoadMore` shows below the pages that are there. */
export function moreOf<T>(query: UseInfiniteQueryResult<T>) {
  return {
    hasMore: query.hasNextPage,
    isLoading: query.isFetchingNextPage,
    error: query.isFetchNextPageError ? query.error : null,
    onMore: () => void query.fetchNextPage(),
  }
}
