import type { ScimQuery } from '@flamegate/operations/ports'
import { Types } from 'scimmy'

const fields: Readonly<Record<string, keyof ScimQuery>> = {
  id: 'userId',
  username: 'userName',
  externalid: 'externalId',
  emails: 'email',
  'emails.value': 'email',
  // An account has one address, which is that of work.
  'emails[type eq "work"].value': 'email',
}

// No character can be read in two ways, so that the time it takes is in proportion to the length.
const equality = /(emails\[type eq "work"\]\.value|[a-z.]+) +eq +("(?:[^"\\]|\\.)*")/iy
const conjunction = / +and +/iy

/**
 * What a filter asks for (RFC 7644, 3.4.2.2): equality of `userName`, `externalId`, `id` and `emails.value`, several of them with `and`.
 * Not by the library, whose regular expressions sixty backslashes keep busy for hours.
 * @throws Types.Error for every other one
 */
export function readFilter(filter: string): ScimQuery {
  const text = filter.trim()
  const query: ScimQuery = {}
  for (let place = 0; ;) {
    const [whole = '', path = '', value = ''] = matchAt(equality, text, place)
    const field = fields[path.toLowerCase()]
    // What has to be equal to two things is a question of nobody.
    if (field === undefined || query[field] !== undefined) throw notUnderstood()
    query[field] = unquote(value)
    place += whole.length
    if (place === text.length) return query
    const [and = ''] = matchAt(conjunction, text, place)
    if (and === '') throw notUnderstood()
    place += and.length
  }
}

function matchAt(pattern: RegExp, text: string, place: number): readonly string[] {
  pattern.lastIndex = place
  return pattern.exec(text) ?? []
}

/** Strings are written as in JSON. */
function unquote(text: string): string {
  try {
    return String(JSON.parse(text))
  } catch {
    throw notUnderstood()
  }
}

function notUnderstood(): Error {
  return new Types.Error(400, 'invalidFilter', 'Ask with eq for userName, externalId, id or emails.value.')
}
