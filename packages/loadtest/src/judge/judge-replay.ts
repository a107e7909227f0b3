/** What came of the assertions of a request: `none` where it has none that is enabled. */
export type AssertionsOutcome = 'none' | 'passed' | 'failed'

export interface Judgement {
  verdict: 'ok' | 'failed'
  /** Why, for a person. */
  words: string
}

type StatusClass = 'success' | 'redirect' | 'client_error' | 'server_error' | 'unknown'

/**
 * Judges a replayed answer by what was recorded. Both are what came at last: where redirects are followed, the answer behind
 * them. Statuses are 0 or null where no answer came; `recorded` is undefined where nothing was recorded.
 *
 * | recorded     | replayed 2xx | 3xx    | 4xx, 5xx, none |
 * | ------------ | ------------ | ------ | -------------- |
 * | nothing      | ok           | ok     | failed         |
 * | 2xx          | ok           | failed | failed         |
 * | 3xx          | failed       | ok     | failed         |
 * | 4xx, 5xx     | failed       | failed | failed         |
 *
 * Assertions say more than statuses do: where there are some, their outcome counts.
 */
export function judgeReplay(
  recorded: { status: number | null } | undefined,
  replayed: { status: number | null },
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
  if (then !== 'unknown' && then !== now)
    return failed(
      now === 'redirect'
        ? `${answered}, a redirect, where ${recorded.status} was recorded: it may be one to the login page.`
        : `${answered}, where the redirect ${recorded.status} was recorded: what it sent may have been refused.`,
    )
  return ok(`${answered}; recorded was ${told(recorded.status)}.`)
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
