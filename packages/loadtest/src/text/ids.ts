const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/**
 * Whether a part of a path looks like the id of one thing among many: a number, a UUID, hexadecimal digits, or a random
 * token, also behind a word that tells its kind (`ord_49bdbbb9`). Words and slugs are none.
 */
export function isId(part: string): boolean {
  if (/^\d{1,40}$/.test(part) || uuid.test(part)) return true
  const [, token = part] = /^[a-z]{1,16}[-_](.+)$/i.exec(part) ?? []
  if (token !== part && /^\d{3,40}$/.test(token)) return true
  if (token.length < 6 || token.length > 200 || !/\d/.test(token) || !/^[\w-]+$/.test(token)) return false
  if (/^[0-9a-f]+$/i.test(token)) return token.length >= 8 || token !== part
  const digits = token.match(/\d/g)?.length ?? 0
  const isMixed = /[a-z]/.test(token) && /[A-Z]/.test(token)
  return isMixed ? token.length >= 10 : /^[a-z\d]{10,}$/i.test(token) && digits >= 3
}

/** A path with `{id}` for each of its ids: `/orders/ord_49bdbbb9/items` becomes `/orders/{id}/items`. */
export function withoutIds(path: string): string {
  return path
    .split('/')
    .map((part) => (isId(part) ? '{id}' : part))
    .join('/')
}

/** A title with `{id}` for each of its ids. A number is one where a # is before it, or from five digits: shorter ones count or date. */
export function titleWithoutIds(title: string): string {
  return title.replaceAll(/#?[\w-]{1,200}/g, (word) => {
    if (/^\d{1,4}$/.test(word)) return word
    const [hash, part] = word.startsWith('#') ? ['#', word.slice(1)] : ['', word]
    return isId(part) ? `${hash}{id}` : word
  })
}

/** Whether two paths lead to the same kind of page: apart from ids, numbers, session ids (`;jsessionid=`) and a slash at the end. */
export function isSamePage(one: string, other: string): boolean {
  return shapeOf(one) === shapeOf(other)
}

function shapeOf(path: string): string {
  return withoutIds(path.replaceAll(/;[^/]*/g, ''))
    .replaceAll(/\d+/g, '0')
    .replace(/\/$/, '')
}
