import type { ActionOf } from '../model/action.ts'
import { walkActions } from '../outline/walk-actions.ts'
import type { VirtualUser } from '../model/virtual-user.ts'
import type { Exchange } from '../recording/exchange.ts'

/** A recording, of which one exchange at a time is looked at: its bodies need not be in memory together. */
export interface RecordedExchanges {
  count: number
  exchange: (index: number) => Promise<Exchange> | Exchange
}

/** An exchange of the recording with the action that it belongs to. */
export interface OwnedExchange {
  index: number
  exchange: Exchange
  action: ActionOf<'http_request'>
  /** Place of the action among all, in the order in which they are written. */
  order: number
  /** Whether its answer is what extractors of the action see: that behind all redirects that it follows. */
  isSeen: boolean
  /** Whether it came by a redirect that the action followed. */
  isRedirected: boolean
}

/**
 * Every exchange that an HTTP request of the document stands for, as recorded: its own, and those that its redirects led to. Where
 * a request that follows redirects does not tell these, they are found by the addresses.
 */
export async function* ownedExchanges(
  document: VirtualUser,
  recording: RecordedExchanges,
): AsyncGenerator<OwnedExchange> {
  const owners = new Map<number, Owner>()
  let order = 0
  for (const { action } of walkActions(document)) {
    if (action.type === 'http_request') {
      const owner = { action, order }
      if (action.recorded !== null) owners.set(action.recorded, owner)
      for (const index of action.redirects.recorded) owners.set(index, owner)
    }
    order++
  }
  /** Of redirects on their way, by the address that they lead to. */
  const expected = new Map<string, Owner>()
  for (let index = 0; index < recording.count; index++) {
    if (!owners.has(index) && expected.size === 0) continue
    const exchange = await recording.exchange(index)
    const { url } = exchange.request
    const owner = owners.get(index) ?? expected.get(url)
    if (owner === undefined) continue
    expected.delete(url)
    const { redirects, recorded } = owner.action
    const target = redirects.follow ? redirectTarget(exchange) : undefined
    const isLast = target === undefined || redirects.recorded.at(-1) === index
    if (target !== undefined && redirects.recorded.length === 0) expected.set(target, owner)
    yield { index, exchange, ...owner, isSeen: isLast, isRedirected: index !== recorded }
  }
}

interface Owner {
  action: ActionOf<'http_request'>
  order: number
}

/** Where an answer redirects to, whole and without a fragment. */
export function redirectTarget({ request, response }: Exchange): string | undefined {
  if (response === null || response.status < 300 || response.status > 399) return undefined
  const location = response.headers.find(({ name }) => name.toLowerCase() === 'location')?.value
  const url = location === undefined ? null : URL.parse(location, request.url)
  if (url === null) return undefined
  url.hash = ''
  return url.href
}
