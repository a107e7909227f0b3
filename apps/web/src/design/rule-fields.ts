import { choicesOf, type Field } from '../documents/field.ts'
import { isObject, type JsonObject, textOf } from '../documents/json.ts'

/** The fields of a correlation rule, as forms show them. */

const name: Field = { kind: 'text', name: 'name', label: 'Name', size: 'half' }
const variable: Field = {
  kind: 'text',
  name: 'variable',
  label: 'Variable',
  size: 'half',
  hint: 'Gets the value.',
}
const source: Field = {
  kind: 'object',
  name: 'source',
  label: 'Where answers have it',
  shape: {
    by: 'type',
    variants: {
      regex: {
        label: 'Regular expression',
        fields: [
          {
            kind: 'text',
            name: 'pattern',
            label: 'Pattern',
            hint: 'Its first group is the value.',
            placeholder: 'name="csrf" value="([^"]+)"',
          },
          {
            kind: 'choice',
            name: 'part',
            label: 'Of',
            size: 'half',
            choices: choicesOf('body', 'headers', 'url'),
          },
        ],
        start: { pattern: '', part: 'body' },
      },
      json_path: {
        label: 'JSONPath',
        fields: [{ kind: 'text', name: 'path', label: 'Path', placeholder: '$.token' }],
        start: { path: '' },
      },
      boundaries: {
        label: 'Between two texts',
        fields: [
          { kind: 'text', name: 'left', label: 'Left', size: 'half' },
          { kind: 'text', name: 'right', label: 'Right', size: 'half' },
        ],
        start: { left: '', right: '' },
      },
      header: {
        label: 'Header',
        fields: [{ kind: 'text', name: 'name', label: 'Header', placeholder: 'x-csrf-token' }],
        start: { name: '' },
      },
      cookie: {
        label: 'Cookie',
        fields: [{ kind: 'text', name: 'name', label: 'Cookie', placeholder: 'XSRF-TOKEN' }],
        start: { name: '' },
      },
    },
  },
}
const targetName: Field = {
  kind: 'text',
  name: 'target_name',
  label: 'Sent as',
  isNullable: true,
  placeholder: 'Wherever the value is sent',
  hint: 'Name of the parameter, header or field.',
}

/** What a new rule is asked for. */
export const newRuleFields: readonly Field[] = [name, variable, source, targetName]

export const ruleFields: readonly Field[] = [
  ...newRuleFields,
  {
    kind: 'number',
    name: 'length_min',
    label: 'Shortest value',
    size: 'half',
    hint: 'Shorter ones are found everywhere, and left alone.',
  },
  { kind: 'text', name: 'description', label: 'Description' },
]

export const ruleTargets = [
  { id: 'path', label: 'Paths' },
  { id: 'query', label: 'Queries' },
  { id: 'header', label: 'Headers' },
  { id: 'body', label: 'Bodies' },
] as const

export const newRule: JsonObject = {
  name: '',
  variable: '',
  source: { type: 'regex', pattern: '', part: 'body' },
  targets: ruleTargets.map(({ id }) => id),
  target_name: null,
}

/** What each type calls the thing to find. */
const findFields: Readonly<Record<string, string>> = {
  regex: 'pattern',
  json_path: 'path',
  header: 'name',
  cookie: 'name',
}

/** The source of a rule as create_correlation_rule takes it. */
export function sourceInput(document: JsonObject): JsonObject {
  const from = isObject(document['source']) ? document['source'] : {}
  const type = textOf(from['type'])
  const find = findFields[type]
  return {
    type,
    ...(find === undefined ? { left: from['left'], right: from['right'] } : { find: from[find] }),
    ...(type === 'regex' ? { part: from['part'] } : {}),
  }
}

/** Where in the document a field of create_correlation_rule stands. */
export function rulePointer(field: string, document: JsonObject): string {
  const from = isObject(document['source']) ? document['source'] : {}
  if (field === 'find') return `/source/${findFields[textOf(from['type'])] ?? 'left'}`
  return ['left', 'right', 'part', 'type'].includes(field)
    ? `/source/${field}`
    : `/${field.replaceAll('.', '/')}`
}

/** How a rule finds its value, in a line. */
export function sourceWords(from: JsonObject): string {
  const type = textOf(from['type'])
  const words =
    type === 'boundaries'
      ? `${textOf(from['left'])} … ${textOf(from['right'])}`
      : textOf(from[findFields[type] ?? ''])
  return `${type.replace('_', ' ')} ${words}`
}
