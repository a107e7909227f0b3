/**
 * Where to go after log-in. Only a path on this origin counts: `https://…`, `//host`, `/\host` and anything with
 * control characters, which browsers drop while reading a URL, become `/`.
 */
export function safeReturnPath(value: string | undefined): string {
  if (value === undefined || !/^\/(?![/\\])/.test(value) || /\p{Cc}/u.test(value)) return '/'
  return value
}

/** The page after log-in: the authorization request that is waiting, or where the person wanted to go. */
export function pageAfterLogIn(search: {
  interaction?: string | undefined
  return_to?: string | undefined
}): string {
  return search.interaction === undefined
    ? safeReturnPath(search.return_to)
    : `/oauth/interaction/${encodeURIComponent(search.interaction)}`
}
