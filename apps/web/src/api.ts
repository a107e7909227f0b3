import { type AnyOperation, ApiProblem, createClient } from '@flamegate/client'
import type { AnswerOf, Operation, RawInputOf } from '@flamegate/contract'
import {
  keepPreviousData,
  QueryCache,
  QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  type UseQueryResult,
} from '@tanstack/react-query'
import { useIsTold } from './live/told.ts'

/** Calls go to this origin; the session cookie says who calls. */
export const client = createClient({ baseUrl: '' })

/** The cache of answers. `whenSignedOut` runs when any answer says that the session is over. */
export function createQueryClient(whenSignedOut: () => void): QueryClient {
  return new QueryClient({
    queryCache: new QueryCache({
      onError: (error) => {
        if (isSignedOut(error)) whenSignedOut()
      },
    }),
    // The client repeats what is worth repeating.
    defaultOptions: { queries: { retry: false, staleTime: 20_000 }, mutations: { retry: false } },
  })
}

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiProblem && error.status === 401
}

/** Query options for one call of an operation; its key is the operation's name and the input. */
export function answerOptions<O extends AnyOperation>(operation: O, input: RawInputOf<O>) {
  return queryOptions<AnswerOf<O>>({
    queryKey: [operation.id, input],
    queryFn: ({ signal }) => client.call(operation, input, { signal }),
  })
}

interface AnswerSettings<O> {
  /** False waits, for instance for an id from another answer. */
  enabled?: boolean
  /** Keeps the answer of the input before on the screen while the next one comes, for filters. */
  keepPrevious?: boolean
  /** Asks again every two seconds as long as this says so of the answer. */
  pollWhile?: (answer: AnswerOf<O>) => boolean
  /** Other than two seconds. */
  pollEveryMs?: number
  /** It is asked for again when the page hears that there is something new (`useNews`), and polled only while it cannot. */
  isLive?: boolean
}

/** The answer of a reading operation, as React state. */
export function useAnswer<O extends AnyOperation>(
  operation: O,
  input: RawInputOf<O>,
  settings: AnswerSettings<O> = {},
): UseQueryResult<AnswerOf<O>> {
  const { pollWhile, pollEveryMs = 2000, isLive = false } = settings
  const isPolled = !useIsTold() || !isLive
  return useQuery({
    ...answerOptions(operation, input),
    enabled: settings.enabled ?? true,
    ...(settings.keepPrevious === true ? { placeholderData: keepPreviousData } : {}),
    meta: { isLive },
    refetchInterval: ({ state }) =>
      isPolled && state.data !== undefined && pollWhile?.(state.data) === true ? pollEveryMs : false,
  })
}

/** A call that changes something. Answers of `outdates` are asked for again when it has succeeded. */
export function useCall<O extends AnyOperation>(operation: O, outdates: readonly Pick<Operation, 'id'>[]) {
  return useMutation<AnswerOf<O>, Error, RawInputOf<O>>({
    mutationFn: (input) => client.call(operation, input),
    onSuccess: async (_answer, _input, _result, { client: queries }) => {
      await Promise.all(outdates.map(({ id }) => queries.invalidateQueries({ queryKey: [id] })))
    },
  })
}
