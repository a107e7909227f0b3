import { choicesOf, type Field, type Shape, type Variant } from '../documents/field.ts'
import type { JsonObject } from '../documents/json.ts'

/** The fields of variables, as forms show them. The JSON Schema `variables.json` says the same, whole. */

const renewed: Field = {
  kind: 'choice',
  name: 'renewed',
  label: 'New value',
  size: 'half',
  choices: [
    { id: 'each_iteration', label: 'For each iteration' },
    { id: 'each_use', label: 'For each use' },
    { id: 'once', label: 'Once, when the user starts' },
  ],
}
const renewedByRow: Field = {
  ...renewed,
  choices: renewed.choices.filter(({ id }) => id !== 'each_use'),
}
const sharing: Field = {
  kind: 'choice',
  name: 'sharing',
  label: 'Virtual users',
  size: 'half',
  choices: [
    { id: 'shared', label: 'Share the values' },
    { id: 'per_user', label: 'Have their own each' },
  ],
}
const number = (name: string, label: string, hint?: string): Field => ({
  kind: 'number',
  name,
  label,
  size: 'third',
  ...(hint === undefined ? {} : { hint }),
})
const each = { renewed: 'each_iteration' }

const variants: Record<string, Variant> = {
  constant: {
    label: 'Constant',
    fields: [
      { kind: 'text', name: 'value', label: 'Value', hint: 'Other variables may stand in it: ${name}.' },
    ],
    start: { value: '' },
  },
  secret: { label: 'Secret', fields: [], start: {} },
  csv: {
    label: 'CSV file',
    fields: [
      { kind: 'text', name: 'path', label: 'File of the project', placeholder: 'users.csv' },
      {
        kind: 'texts',
        name: 'columns',
        label: 'Columns',
        hint: 'One name on each line; none: the first line of the file names them. Requests name columns.',
      },
      {
        kind: 'choice',
        name: 'order',
        label: 'Rows',
        size: 'half',
        choices: choicesOf('sequential', 'random', 'unique'),
      },
      {
        kind: 'choice',
        name: 'at_end',
        label: 'After the last row',
        size: 'half',
        choices: [
          { id: 'recycle', label: 'Begin again' },
          { id: 'stop', label: 'The virtual user ends' },
        ],
      },
      sharing,
      renewedByRow,
      { kind: 'text', name: 'delimiter', label: 'Delimiter', size: 'third' },
      { kind: 'text', name: 'quote', label: 'Quote', size: 'third', isNullable: true },
      number('skip_lines', 'Lines to skip'),
      {
        kind: 'choice',
        name: 'encoding',
        label: 'Encoding',
        size: 'half',
        choices: choicesOf('utf-8', 'utf-16le', 'latin1'),
      },
    ],
    start: {
      path: '',
      columns: [],
      delimiter: ',',
      quote: '"',
      encoding: 'utf-8',
      skip_lines: 0,
      order: 'sequential',
      sharing: 'shared',
      at_end: 'recycle',
      ...each,
    },
  },
  counter: {
    label: 'Counter',
    fields: [
      number('start', 'Start'),
      number('step', 'Step'),
      { kind: 'number', name: 'end', label: 'End', size: 'third', isNullable: true, placeholder: 'None' },
      number('digits', 'Digits', 'Filled up with zeros.'),
      sharing,
      renewed,
    ],
    start: { start: 1, end: null, step: 1, digits: 0, sharing: 'shared', ...each },
  },
  random_number: {
    label: 'Random number',
    fields: [number('min', 'At least'), number('max', 'At most'), number('decimals', 'Decimals'), renewed],
    start: { min: 1, max: 1000, decimals: 0, ...each },
  },
  random_text: {
    label: 'Random text',
    fields: [
      number('length', 'Characters'),
      { kind: 'text', name: 'characters', label: 'Of these' },
      renewed,
    ],
    start: { length: 12, characters: 'abcdefghijklmnopqrstuvwxyz0123456789', ...each },
  },
  uuid: { label: 'UUID', fields: [renewed], start: each },
  date_time: {
    label: 'Date and time',
    fields: [
      {
        kind: 'text',
        name: 'format',
        label: 'Format',
        hint: 'yyyy-MM-dd HH:mm:ss, or a word: iso, unix, unix_ms.',
      },
      number('offset_ms', 'Added to now (ms)'),
      { kind: 'text', name: 'time_zone', label: 'Time zone', size: 'third', placeholder: 'UTC' },
      renewed,
    ],
    start: { format: 'iso', offset_ms: 0, time_zone: 'UTC', ...each },
  },
  list: {
    label: 'List',
    fields: [
      { kind: 'texts', name: 'values', label: 'Values', hint: 'One on each line.' },
      {
        kind: 'choice',
        name: 'order',
        label: 'Order',
        size: 'half',
        choices: choicesOf('sequential', 'random'),
      },
      sharing,
      renewed,
    ],
    start: { values: [], order: 'sequential', sharing: 'shared', ...each },
  },
}

export const variableShape: Shape = { by: 'type', variants }

export const variableTypes = Object.entries(variants).map(([id, { label }]) => ({ id, label }))

export const variableBasics: readonly Field[] = [
  { kind: 'text', name: 'name', label: 'Name', hint: 'Requests name it as ${name}.', size: 'half' },
  { kind: 'text', name: 'description', label: 'Description', size: 'half' },
]

export const newVariable: JsonObject = { type: 'constant', name: '', description: '', value: '' }

/** A variable of another type with the same name. */
export function ofType(variable: JsonObject, type: string): JsonObject {
  const { schema_version, name, description } = variable
  return {
    ...(schema_version === undefined ? {} : { schema_version }),
    type,
    name,
    description,
    ...variants[type]?.start,
  }
}

/** What create_variable has fields of its own for; all others are settings. */
const ownFields = new Set([
  'name',
  'type',
  'value',
  'values',
  'path',
  'columns',
  'order',
  'start',
  'min',
  'max',
  'length',
  'format',
  'renewed',
])

/** A document as create_variable takes it. */
export function creationOf(document: JsonObject): { own: JsonObject; settings: JsonObject } {
  const entries = Object.entries(document)
  return {
    own: Object.fromEntries(entries.filter(([name]) => ownFields.has(name))),
    settings: Object.fromEntries(entries.filter(([name]) => !ownFields.has(name))),
  }
}
