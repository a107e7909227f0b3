import { isSamePage } from '../text/ids.ts'

/** What came of the assertions of a request: `none` where it has none that is enabled. */
export type AssertionsOutcome = 'none' | 'passed' | 'failed'

/** An answer, and the way that led to it. */
export interface JudgedAnswer {
  /** What came at last: where redirects were followed, the answer behind them. Null or 0 where none came. */
  status: number | null
  /** Address that was asked first; null where it is not known. */
  url: string | null
  /** In their order; the last one may be the answer itself, where it was not followed. */
  redirects: readonly Redirect[]
}

export interface Redirect {
  status: number
  /** Absolute address; null where it is not known. */
  to: string | null
}

export interface Judgement {
  verdict: 'ok' | 'failed'
  /** Why, for a person. */
  words: string
}

type StatusClass = 'success' | 'redirect' | 'client_error' | 'server_error' | 'unknown'

/**
 * Judges a replayed answer by what was recorded. `recorded` is undefined where nothing was.
 *
 * | recorded            | replayed 2xx | redirected to the same | elsewhere | 4xx, 5xx, none |
 * | ------------------- | ------------ | ---------------------- | --------- | -------------- |
 * | nothing             | ok           | ok                     | ok        | failed         |
 * | 2xx                 | ok           | failed                 | failed    | failed         |
 * | redirected          | failed       | ok                     | failed    | failed         |
 * | 4xx, 5xx            | failed       | failed                 | failed    | failed         |
 *
 * Redirected is what has a redirect on its way, followed or not: with status 200 may come the login page. Paths are the same
 * apart from ids. Assertions say more than all that: where there are some, their outcome counts.
 */
export function judgeReplay(
  recorded: JudgedAnswer | undefined,
  replayed: JudgedAnswer,
  assertions: AssertionsOutcome = 'none',
): Judgement {
  if (assertions === 'passed') return ok('Its assertions hold.')
  if (assertions === 'failed') return failed('An assertion does not hold.')
  const now = classOf(replayed.status)
  if (now === 'unknown') return failed('No answer came, or none with a known status.')
  const answered = `It answered ${replayed.status}`
  if (now === 'client_error' || now === 'server_error')
    return failed(`${answered}${recorded ? `; recorded was ${told(recorded.status)}` : ''}.`)
  if (recorded === undefined) return ok(`${answered}; nothing was recorded to hold it against.`)
  const then = classOf(recorded.status)
  if (then === 'client_error' || then === 'server_error')
    return failed(
      `${answered}, but ${recorded.status} was recorded: an assertion on the status says which of them is meant.`,
    )
  const difference = then === 'unknown' ? undefined : differenceOf(recorded, replayed)
  return difference === undefined
    ? ok(`${answered}; recorded was ${told(recorded.status)}.`)
    : failed(difference)
}

/** How the words begin that tell of another way than was recorded. */
export const redirectWords = /^It was (?:not )?redirected\b/

function differenceOf(recorded: JudgedAnswer, replayed: JudgedAnswer): string | undefined {
  const [then] = recorded.redirects
  const [now] = replayed.redirects
  if (then === undefined && now === undefined) return undefined
  const way = `(${replayed.redirects.map(({ status }) => status).join(', ')}) to ${shown(replayed)}`
  if (then === undefined)
    return `It was redirected ${way}, where ${recorded.status} was recorded without a redirect: that may be the login page.`
  if (now === undefined)
    return `It was not redirected: it answered ${replayed.status}, where the redirect ${then.status} to ${shown(recorded)} was recorded. What it sent may have been refused.`
  if (leadsTheSameWay(recorded, replayed)) return undefined
  return `It was redirected ${way}, where the recording was led to ${shown(recorded)}: that may be the login page, or one that tells of an error.`
}

/** The end of both, or of that which goes no further a stop on the way of the other. */
function leadsTheSameWay(recorded: JudgedAnswer, replayed: JudgedAnswer): boolean {
  const end = (answer: JudgedAnswer) => answer.redirects.at(-1)
  const stopsAt = (from: JudgedAnswer, on: JudgedAnswer) =>
    on.redirects.some((stop) => isSamePlace(end(from), from, stop, on))
  if (isUnfollowed(replayed)) return stopsAt(replayed, recorded)
  if (isUnfollowed(recorded)) return stopsAt(recorded, replayed)
  return isSamePlace(end(recorded), recorded, end(replayed), replayed)
}

const isUnfollowed = ({ status }: JudgedAnswer) => classOf(status) === 'redirect'

/** Hosts may be others than recorded; but not that of somebody else, where the recording stayed at its own, or the other way round. */
function isSamePlace(
  one: Redirect | undefined,
  of: JudgedAnswer,
  other: Redirect | undefined,
  ofOther: JudgedAnswer,
): boolean {
  const [a, b] = [URL.parse(one?.to ?? ''), URL.parse(other?.to ?? '')]
  // What is not known cannot be held against it.
  if (a === null || b === null) return true
  if (a.hostname === b.hostname) return isSamePage(a.pathname, b.pathname)
  return isAtHome(a, of) === isAtHome(b, ofOther) && isSamePage(a.pathname, b.pathname)
}

/** `www.` before a name is the same host here: many lead from one to the other. */
function isAtHome({ hostname }: URL, { url }: JudgedAnswer): boolean {
  return withoutWww(hostname) === withoutWww(URL.parse(url ?? '')?.hostname)
}

const withoutWww = (host: string | undefined) => host?.replace(/^www\./, '')

/** Where it led at last: the path, with the host where that is another one. */
function shown({ url, redirects }: JudgedAnswer): string {
  const to = URL.parse(redirects.at(-1)?.to ?? '')
  if (to === null) return 'an unknown address'
  const place = to.host === URL.parse(url ?? '')?.host ? to.pathname : `${to.origin}${to.pathname}`
  return place.slice(0, 200)
}

const told = (status: number | null) => status || 'no answer'
const ok = (words: string): Judgement => ({ verdict: 'ok', words })
const failed = (words: string): Judgement => ({ verdict: 'failed', words })

function classOf(status: number | null): StatusClass {
  // 304 says that what the cache has is still right, and 101 that the protocol was changed as asked: both did what they should.
  if (status === 304 || status === 101) return 'success'
  if (status === null || status < 200 || status > 599) return 'unknown'
  if (status < 300) return 'success'
  if (status < 400) return 'redirect'
  return status < 500 ? 'client_error' : 'server_error'
}
