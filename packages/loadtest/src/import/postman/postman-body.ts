import { asList, asObject, asText, isObject } from '../../json/json-values.ts'
import { literal, type Field } from '../../model/template.ts'
import { splitQuery } from '../address.ts'
import { projectPath } from '../file-paths.ts'
import type { BodyDraft } from '../import-draft.ts'
import { readFields } from './fields.ts'
import type { Surroundings } from './surroundings.ts'

const contentTypes: ReadonlyMap<string, string> = new Map([
  ['javascript', 'application/javascript'],
  ['html', 'text/html'],
  ['xml', 'application/xml'],
  ['text', 'text/plain'],
])

/** What a request of Postman sends after its headers; null when that is nothing. */
export function readBody(value: unknown, headers: readonly Field[], around: Surroundings): BodyDraft | null {
  const body = asObject(value)
  if (body['disabled'] === true) {
    around.notes.push('Its body is disabled and left out.')
    return null
  }
  const { variables, scope, notes } = around
  const path = 'request.body'
  switch (body['mode']) {
    case 'raw':
      return rawBody(variables.template(asText(body['raw']), scope), body, headers)
    case 'urlencoded': {
      const fields = Array.isArray(body['urlencoded'])
        ? readFields(body['urlencoded'], 'field', `${path}.urlencoded`, around)
        : splitQuery(asText(body['urlencoded'])).map((pair) => ({
            name: variables.template(pair.name, scope),
            value: variables.template(pair.value, scope),
          }))
      return fields.length === 0 ? null : { type: 'form', fields }
    }
    case 'formdata': {
      const parts = asList(body['formdata']).flatMap((entry, index) => readPart(entry, index, around))
      return parts.length === 0 ? null : { type: 'multipart', parts }
    }
    case 'file': {
      const file = asObject(body['file'])
      const content = asText(file['content'])
      if (content !== '') return { type: 'raw', text: literal(content) }
      const source = asText(file['src']) || asText(body['file'])
      if (source === '') return null
      const kept = projectPath(source)
      notes.push(`The file that it sends is not in the collection: upload it as ${kept}.`)
      return { type: 'file', path: kept }
    }
    case 'graphql': {
      const graphql = asObject(body['graphql'])
      const given = graphql['variables']
      const values = (isObject(given) ? JSON.stringify(given) : asText(given)).trim()
      const operation = asText(graphql['operationName'])
      const text = [
        `"query": ${JSON.stringify(asText(graphql['query']))}`,
        ...(operation === '' ? [] : [`"operationName": ${JSON.stringify(operation)}`]),
        `"variables": ${values === '' ? '{}' : values}`,
      ].join(', ')
      return { type: 'json', text: variables.template(`{${text}}`, scope) }
    }
    case undefined:
    case null:
    case 'none':
      return null
    default:
      notes.push(
        `Its body is of a kind that is not known (${asText(body['mode']).slice(0, 40)}): it is left out.`,
      )
      return null
  }
}

function rawBody(
  text: string,
  body: Readonly<Record<string, unknown>>,
  headers: readonly Field[],
): BodyDraft | null {
  if (text === '') return null
  const language = asText(asObject(asObject(body['options'])['raw'])['language'])
  const header = headers.find(({ name }) => name.toLowerCase() === 'content-type')
  // A header says more than the choice in Postman's window, which only makes one where there is none.
  if (header !== undefined) return { type: 'raw', text }
  if (language === 'json') return { type: 'json', text }
  return { type: 'raw', text, content_type: contentTypes.get(language) ?? 'text/plain' }
}

type Part = Extract<BodyDraft, { type: 'multipart' }>['parts'][number]

function readPart(value: unknown, index: number, around: Surroundings): Part[] {
  const { draft, variables, scope, inner } = around
  const entry = asObject(value)
  const key = asText(entry['key'])
  const element = { place: `${around.place}.request.body.formdata[${index}]`, kind: 'field', name: key }
  if (entry['disabled'] === true) {
    draft.dropped(element, 'It is disabled.')
    return []
  }
  const name = variables.template(key, scope)
  const contentType = asText(entry['contentType']).slice(0, 200)
  if (entry['type'] !== 'file') {
    inner.add(element)
    return [
      {
        type: 'field',
        name,
        value: variables.template(asText(entry['value']), scope),
        content_type: contentType === '' ? null : contentType,
      },
    ]
  }
  const sources = (Array.isArray(entry['src']) ? entry['src'] : [entry['src']]).map(asText)
  const paths = sources.map((source) => projectPath(source === '' ? key : source))
  inner.add(element, [`The file is not in the collection: upload it as ${paths.join(', ').slice(0, 300)}.`])
  return paths.map((path) => ({
    type: 'file' as const,
    name,
    path,
    ...(contentType === '' ? {} : { content_type: contentType }),
  }))
}
