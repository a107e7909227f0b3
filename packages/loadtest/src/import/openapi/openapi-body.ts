import { isObject, type JsonObject } from '../../json/json-values.ts'
import { literal } from '../../model/template.ts'
import { projectPath } from '../file-paths.ts'
import type { BodyDraft, ImportDraft, InnerElements } from '../import-draft.ts'
import { type References, whyUnresolved } from './references.ts'
import { exampleOf, type Samples } from './sample.ts'
import { simpleText } from './serialize.ts'

/** Best first: what servers can be sent without knowing more. */
const preferences = [
  /[/+]json\b/i,
  /x-www-form-urlencoded/i,
  /^multipart\/form-data/i,
  /^text\//i,
  /xml/i,
  /./,
]

function rankOf(type: string): number {
  return preferences.findIndex((each) => each.test(type))
}

/** The body of an operation, of the form that says most. Each form that it may have is told of. */
export function readBody(
  requestBody: unknown,
  operationPlace: string,
  { references, samples }: { references: References; samples: Samples },
  draft: ImportDraft,
  inner: InnerElements,
): BodyDraft | null {
  if (requestBody === undefined) return null
  const place = `${operationPlace}.requestBody`
  const resolved = references.resolve(requestBody)
  if (resolved === undefined) {
    draft.dropped({ place, kind: 'request body', name: '' }, whyUnresolved(requestBody))
    return null
  }
  const forms = Object.entries(isObject(resolved['content']) ? resolved['content'] : {})
  const [best] = forms.toSorted(([one], [other]) => rankOf(one) - rankOf(other))
  for (const [type] of forms)
    if (type !== best?.[0])
      draft.dropped(
        { place: `${place}.content.${type}`, kind: 'request body', name: type },
        `The body is sent as ${best?.[0]}.`,
      )
  if (best === undefined) return null
  const [type, media] = best
  const { body, notes } = bodyOf(type, references.resolve(media) ?? {}, references, samples)
  inner.add({ place: `${place}.content.${type}`, kind: 'request body', name: type }, notes)
  return body
}

function bodyOf(
  type: string,
  media: JsonObject,
  references: References,
  samples: Samples,
): { body: BodyDraft | null; notes: string[] } {
  const example = exampleOf(media, references)
  const { value, isMade } =
    example === undefined ? samples.of(media['schema']) : { ...example, isMade: false }
  const notes = isMade ? ['Its values are made of its schema: write those that the server knows.'] : []
  const contentType = type.slice(0, 200)
  if (/[/+]json\b/i.test(type))
    return {
      body: { type: 'json', text: literal(JSON.stringify(value ?? {}, null, 2)), content_type: contentType },
      notes,
    }
  if (/x-www-form-urlencoded/i.test(type)) {
    const fields = fieldsOf(value).map(([name, each]) => ({
      name: literal(name),
      value: literal(simpleText(each)),
    }))
    return { body: { type: 'form', fields }, notes }
  }
  if (/^multipart\/form-data/i.test(type)) {
    const schema = references.resolve(media['schema'])
    const properties = isObject(schema?.['properties']) ? schema['properties'] : {}
    const files: string[] = []
    const parts = fieldsOf(value).map(
      ([name, each]): Extract<BodyDraft, { type: 'multipart' }>['parts'][number] => {
        const property = references.resolve(properties[name])
        const isFile = isBinary(property) || isBinary(references.resolve(property?.['items']))
        if (!isFile) return { type: 'field', name: literal(name), value: literal(simpleText(each)) }
        const path = projectPath(name)
        files.push(path)
        return { type: 'file', name: literal(name), path }
      },
    )
    const fileNotes = files.length === 0 ? [] : [`Upload what it sends as ${files.join(', ').slice(0, 300)}.`]
    return { body: { type: 'multipart', parts }, notes: [...notes, ...fileNotes] }
  }
  if (/^text\/|xml/i.test(type))
    return {
      body: {
        type: 'raw',
        text: literal(typeof value === 'string' ? value : simpleText(value)),
        content_type: contentType,
      },
      notes:
        isObject(value) && example === undefined
          ? ['It is not written in this format, because there is no example: write the body.']
          : notes,
    }
  const path = projectPath('body')
  return {
    body: { type: 'file', path, content_type: contentType },
    notes: [`Upload what it sends as ${path}.`],
  }
}

function isBinary(schema: JsonObject | undefined): boolean {
  return schema?.['format'] === 'binary' || typeof schema?.['contentMediaType'] === 'string'
}

function fieldsOf(value: unknown): [string, unknown][] {
  return isObject(value) ? Object.entries(value) : []
}
