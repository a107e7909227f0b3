import type { Exchange } from '../recording/exchange.ts'
import { isRedirectStatus, locationOf } from '../recording/location.ts'
import type { RecordedExchange } from '../recording/recording-writer.ts'
import type { ReplayedExchange } from '../replay/action-result.ts'
import type { JudgedAnswer } from './judge-replay.ts'

/** @param chain the entry of a request in the index of its recording, and behind it those of the redirects that it follows */
export function recordedAnswer(chain: readonly RecordedExchange[]): JudgedAnswer {
  const last = chain.at(-1)
  const followed = chain.slice(1).map(({ url }, index) => ({ status: chain[index]?.status ?? 0, to: url }))
  const isUnfollowed = last !== undefined && isRedirectStatus(last.status)
  return {
    status: last?.status ?? null,
    url: chain[0]?.url ?? null,
    redirects: isUnfollowed
      ? [...followed, { status: last.status ?? 0, to: last.location ?? null }]
      : followed,
  }
}

/** @param exchanges all of a request, in the order in which they were sent */
export function replayedAnswer(
  status: number | null,
  exchanges: readonly Pick<ReplayedExchange, 'role' | 'exchange'>[],
): JudgedAnswer {
  const chain = exchanges.filter(({ role }) => role === 'main' || role === 'redirect')
  return {
    status,
    url: chain[0]?.exchange.request.url ?? null,
    redirects: chain.flatMap(({ exchange }) => redirectIn(exchange)),
  }
}

function redirectIn(exchange: Exchange): JudgedAnswer['redirects'] {
  const status = exchange.response?.status ?? null
  return isRedirectStatus(status) ? [{ status: status ?? 0, to: locationOf(exchange) }] : []
}
