import type { RequestBody } from '../model/request.ts'
import type { Field } from '../model/template.ts'
import type { BodyDraft } from './import-draft.ts'

const contentTypeCharactersMax = 200

/**
 * A body that knows its content type, in place of a header that says it. Forms say it by themselves, with the boundary of their
 * parts.
 */
export function withContentType(
  body: RequestBody | null,
  headers: Field[],
): { body: RequestBody | null; headers: Field[] }
export function withContentType(
  body: BodyDraft | null,
  headers: Field[],
): { body: BodyDraft | null; headers: Field[] }
export function withContentType(
  body: BodyDraft | null,
  headers: Field[],
): { body: BodyDraft | null; headers: Field[] } {
  const header = headers.find(({ name }) => name.toLowerCase() === 'content-type')
  if (body === null || header === undefined) return { body, headers }
  const others = headers.filter(({ name }) => name.toLowerCase() !== 'content-type')
  const contentType = header.value.trim()
  if (body.type === 'form' && /^application\/x-www-form-urlencoded/i.test(contentType))
    return { body, headers: others }
  if (body.type === 'multipart' && /^multipart\/form-data/i.test(contentType))
    return { body, headers: others }
  if (contentType === '' || contentType.length > contentTypeCharactersMax || contentType.includes('${'))
    return { body, headers }
  if (body.type === 'file') return { body: { ...body, content_type: contentType }, headers: others }
  if (body.type !== 'raw' && body.type !== 'json') return { body, headers }
  const type = /^[^;]*[/+]json\b/i.test(contentType) ? 'json' : 'raw'
  return { body: { type, text: body.text, content_type: contentType }, headers: others }
}
