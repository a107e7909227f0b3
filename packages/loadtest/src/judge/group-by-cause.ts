import { redirectWords } from './judge-replay.ts'
import { truncate } from './truncate.ts'

/** Of what happened to an action, what its cause is found by. Results of the interpreter have this form. */
export interface JudgedResult {
  actionId: string
  type: string
  name: string
  outcome: 'passed' | 'failed' | 'skipped'
  status: number | null
  assertions: readonly { outcome: 'passed' | 'failed'; message: string }[]
  extractors: readonly { variable: string; outcome: 'found' | 'default' | 'missing' }[]
  failure: string | null
}

/** In the order in which they are looked for: the first that fits is the cause. */
export const failureCauses = [
  'refused_target',
  'missing_variable',
  'missing_file',
  'earlier_failure',
  'timeout',
  'no_connection',
  'stale_value',
  'server_error',
  'not_found',
  'refused_request',
  'missing_extraction',
  'assertion',
  'script',
  'page',
  'redirected',
  'other',
] as const
export type FailureCause = (typeof failureCauses)[number]

const advice: Record<FailureCause, string> = {
  refused_target: 'Verify the target host first; addresses of private networks are never allowed.',
  missing_variable: 'Define the variable, or put the extractor that sets it before this action.',
  missing_file: 'Upload the file to the project under that path.',
  earlier_failure: 'It needs what an action before it was to open: mend that one first.',
  timeout: 'Look whether the server is slow or the timeout too short.',
  no_connection: 'Look whether the host, port and TLS options of the server are right, and whether it runs.',
  stale_value:
    'The session or a token is probably the recorded one: see the suggested correlations, and apply them.',
  server_error:
    'The server failed: look at its answer. A stale value can also cause it; see the suggested correlations.',
  not_found: 'The path may hold an id of the recording: see the suggested correlations.',
  refused_request: 'Compare the request with the recorded one: a field may be missing or stale.',
  missing_extraction:
    'Look at the answer it searched: the earlier request may have failed, or the place changed.',
  assertion: 'Look at the answer: it is another one than expected, or the assertion is too narrow.',
  script: 'Mend the script; the message tells the line.',
  page: 'Look at the screenshot and the trace of this step.',
  redirected:
    'Another way than was recorded often leads to the login page: correlate the session and its tokens first.',
  other: 'Look at the exchange.',
}

export interface CauseGroup {
  cause: FailureCause
  /** What unites them: the message of the first, cut. */
  words: string
  advice: string
  /** How often. */
  count: number
  /** Each once, as they came. */
  actionIds: string[]
  /** The one to look at: the first. */
  firstActionId: string
}

/** Groups what failed by its cause, the group that failed first in front: what comes later is often its consequence. */
export function groupByCause(results: Iterable<JudgedResult>): CauseGroup[] {
  const groups = new Map<string, CauseGroup>()
  for (const result of results) {
    // Containers fail because of what is in them.
    if (result.outcome !== 'failed' || containers.has(result.type)) continue
    const { cause, key, words } = causeOf(result)
    const group = groups.get(`${cause} ${key}`)
    if (group === undefined) {
      groups.set(`${cause} ${key}`, {
        cause,
        words: truncate(words, 300),
        advice: advice[cause],
        count: 1,
        actionIds: [result.actionId],
        firstActionId: result.actionId,
      })
    } else {
      group.count++
      if (!group.actionIds.includes(result.actionId)) group.actionIds.push(result.actionId)
    }
  }
  return [...groups.values()]
}

const containers = new Set(['container', 'if', 'while', 'loop', 'for_each', 'once', 'random'])

interface Found {
  cause: FailureCause
  /** Tells groups of one cause apart: the variable, the status. */
  key: string
  words: string
}

function causeOf(result: JudgedResult): Found {
  const failure = result.failure ?? ''
  const words = failure || `It answered ${result.status ?? 'nothing'}.`
  const found = (cause: FailureCause, key = ''): Found => ({ cause, key, words })

  const said = saidCauses.find(({ pattern }) => pattern.test(failure))
  if (said !== undefined && result.status === null)
    return found(said.cause, variableOf(said.pattern, failure))
  const { status } = result
  if (status !== null && staleStatuses.has(status)) return found('stale_value', String(status))
  if (status !== null && status >= 500) return found('server_error', String(status))
  if (status === 404 || status === 410) return found('not_found', String(status))
  if (status !== null && status >= 400) return found('refused_request', String(status))
  const missing = result.extractors.find(({ outcome }) => outcome === 'missing')
  if (missing !== undefined) return found('missing_extraction', missing.variable)
  const assertion = result.assertions.find(({ outcome }) => outcome === 'failed')
  if (assertion !== undefined)
    return { cause: 'assertion', key: assertion.message, words: assertion.message || words }
  if (redirectWords.test(failure)) return found('redirected')
  if (said !== undefined) return found(said.cause)
  if (result.type === 'script') return found('script', failure)
  if (result.type === 'page') return found('page', result.actionId)
  if (status !== null && status >= 300) return found('redirected', String(status))
  return found('other', failure)
}

/** What a pattern found in words, of whichever of its alternatives. */
function variableOf(pattern: RegExp, words: string): string {
  return (
    pattern
      .exec(words)
      ?.slice(1)
      .find((each) => each !== undefined) ?? ''
  )
}

/** Statuses that servers give for sessions and tokens that they do not know (any more); 419 is Laravel's, 440 that of IIS. */
const staleStatuses = new Set([401, 403, 419, 422, 440, 498])

const saidCauses: { cause: FailureCause; pattern: RegExp }[] = [
  {
    cause: 'refused_target',
    pattern:
      /not? (?:a )?(?:verified|target)\b|address .*\bnot (?:allowed|on the public internet)|target .*refused/i,
  },
  {
    cause: 'missing_variable',
    pattern:
      /(?:unknown|missing|undefined|no) variable\W*([\w.-]+)?|(?:variable\W+|\$\{)([\w.-]+).*(?:no value|not set|unknown|not defined)/i,
  },
  { cause: 'missing_file', pattern: /no (?:such )?file\b|file\W+[\w./-]+.*(?:missing|not exist|not found)/i },
  { cause: 'earlier_failure', pattern: /No WebSocket is connected/i },
  {
    cause: 'timeout',
    pattern: /time[d-]?\s?out|took (?:too long|longer)|in time\b|did not answer|ETIMEDOUT/i,
  },
  {
    cause: 'no_connection',
    pattern:
      /ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|socket|connect|certificate|TLS|no answer|hang up|closed|resolve|reached|host name/i,
  },
]
