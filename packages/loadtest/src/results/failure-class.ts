/** Why a request failed, in the words of series (`errorClasses`), as far as other tools tell. */
const failureClasses = [
  'dns',
  'connect',
  'tls',
  'timeout',
  'reset',
  'refused_target',
  'protocol',
  'status_4xx',
  'status_5xx',
  'assertion',
  'extractor',
  'other',
] as const
export type FailureClass = (typeof failureClasses)[number]

export function isFailureClass(name: string): name is FailureClass {
  return failureClasses.some((each) => each === name)
}

/** Names of exceptions of Java, and messages of Go, Python and browsers; the first that fits. */
const byWords: readonly (readonly [RegExp, FailureClass])[] = [
  [/time(?:d )?-?out|ETIMEDOUT|deadline exceeded/i, 'timeout'],
  [/unknownhost|no such host|ENOTFOUND|name or service not known|name_not_resolved|getaddrinfo/i, 'dns'],
  [/ssl|\btls\b|certificate|x509/i, 'tls'],
  [
    /connectexception|httphostconnect|noroutetohost|connection[ _]refused|ECONNREFUSED|unreachable/i,
    'connect',
  ],
  [
    /reset|nohttpresponse|broken pipe|socketexception|ECONNRESET|\bEOF\b|premature|remotedisconnected/i,
    'reset',
  ],
  [/protocol|malformed/i, 'protocol'],
]

/**
 * The class of a failed request by its status, or by what is told where there is none.
 * @param status 0: no answer
 */
export function failureClass(status: number, words: string): FailureClass {
  if (status >= 400 && status < 500) return 'status_4xx'
  if (status >= 500 && status < 600) return 'status_5xx'
  // An answer came, and was not what was expected.
  if (status >= 100 && status < 400) return 'assertion'
  return byWords.find(([pattern]) => pattern.test(words))?.[1] ?? 'other'
}
