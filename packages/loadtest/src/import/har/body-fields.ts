import type { RequestBody } from '../../model/request.ts'

/** Names and values are templates here, as they are in the body. */
export interface BodyField {
  name: string
  value: string
}

/** The named texts of a form or of JSON. */
export function fieldsOf(body: RequestBody): BodyField[] {
  if (body.type === 'form') return body.fields.filter(({ value }) => value !== '')
  if (body.type === 'multipart')
    return body.parts.flatMap((part) =>
      part.type === 'field' && part.value !== '' ? [{ name: part.name, value: part.value }] : [],
    )
  return body.type === 'json' ? jsonFields(body.text).map(({ name, value }) => ({ name, value })) : []
}

/** The body with variables in place of some of its fields. */
export function withVariables(
  body: RequestBody,
  variableFor: (name: string, value: string) => string | undefined,
): RequestBody {
  const valueFor = ({ name, value }: BodyField) => {
    const found = variableFor(name, value)
    return found === undefined ? value : `\${${found}}`
  }
  if (body.type === 'form')
    return { ...body, fields: body.fields.map((field) => ({ ...field, value: valueFor(field) })) }
  if (body.type === 'multipart')
    return {
      ...body,
      parts: body.parts.map((part) => (part.type === 'field' ? { ...part, value: valueFor(part) } : part)),
    }
  if (body.type !== 'json') return body
  const { text } = body
  const pieces: string[] = []
  let end = 0
  for (const field of jsonFields(text)) {
    pieces.push(text.slice(end, field.from), valueFor(field))
    end = field.to
  }
  return { ...body, text: `${pieces.join('')}${text.slice(end)}` }
}

/** Texts by their keys, with the places of their values, in JSON that was parsed before: values are as JSON writes them. */
function jsonFields(text: string): (BodyField & { from: number; to: number })[] {
  return [...text.matchAll(/"([^"\\]{1,80})"\s*:\s*"((?:[^"\\]|\\.){1,500})"/g)].map((match) => {
    const to = match.index + match[0].length - 1
    return { name: match[1]!, value: match[2]!, from: to - match[2]!.length, to }
  })
}
