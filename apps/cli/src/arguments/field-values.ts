import type { Operation } from '@flamegate/contract'
import type { z } from 'zod'
import { UsageError } from '../usage-error.ts'
import type { CommandLine, Option } from './command-line.ts'
import { operationFields, type OperationField } from './operation-field.ts'

const placeholders = {
  text: '<text>',
  number: '<number>',
  list: '<text>',
  map: '<key=value>',
  json: '<json>',
} as const

/** The option that a field of an operation gives a command. */
export function fieldOption(field: OperationField): Option {
  const choices = field.choices.length === 0 ? '' : ` One of ${field.choices.join(', ')}.`
  const value = defaultText(field.default)
  return {
    name: field.option,
    ...(field.kind === 'boolean' ? {} : { value: placeholders[field.kind] }),
    isRepeatable: field.kind === 'list' || field.kind === 'map',
    description: `${field.isRequired ? 'Required. ' : ''}${field.description}${choices}${value === '' ? '' : ` Default ${value}.`}`,
  }
}

/**
 * The fields of an operation's input that were given as options. A number that is none stays text, so that the
 * operation's schema refuses it in its own words.
 */
export function givenFields(operation: Operation, line: CommandLine): Record<string, unknown> {
  return Object.fromEntries(
    operationFields(operation)
      .map((field) => [field.name, givenField(field, line)] as const)
      .filter(([, value]) => value !== undefined),
  )
}

function givenField(field: OperationField, line: CommandLine): unknown {
  const text = line.text(field.option)
  switch (field.kind) {
    case 'boolean':
      return line.flag(field.option)
    case 'list':
      return line.list(field.option)
    case 'map':
      return keyValues(field.option, line.list(field.option))
    case 'json':
      return parseJson(field.option, text)
    case 'number':
      return text === undefined || text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
    default:
      return text
  }
}

/**
 * An operation's input as its schema reads it, before anything is sent.
 *
 * @throws UsageError with one line per field that is wrong
 */
export function parseInput<Shape extends z.ZodRawShape>(
  operation: { id: string; input: z.ZodObject<Shape, z.core.$strict> },
  input: Readonly<Record<string, unknown>>,
): z.output<z.ZodObject<Shape, z.core.$strict>> {
  const result = operation.input.safeParse(input)
  if (result.success) return result.data
  const lines = result.error.issues.map((issue) => `  ${issueText(operation.id, issue, input)}`)
  throw new UsageError(['The input is not valid.', ...new Set(lines)].join('\n'))
}

function issueText(
  operationId: string,
  issue: z.core.$ZodIssue,
  input: Readonly<Record<string, unknown>>,
): string {
  if (issue.code === 'unrecognized_keys') return `${issue.keys.join(', ')}: ${operationId} has no such field.`
  const path = issue.path.map(String)
  const isMissing = path.length === 1 && input[path.join('')] === undefined
  return `${path.join('.')}: ${isMissing ? 'Required.' : issue.message}`
}

/** `key=value` texts as an object. @throws UsageError for a text without `=` */
export function keyValues(
  option: string,
  texts: readonly string[] | undefined,
): Record<string, string> | undefined {
  if (texts === undefined) return undefined
  return Object.fromEntries(
    texts.map((text) => {
      const equals = text.indexOf('=')
      if (equals < 1) throw new UsageError(`--${option} ${text}: Write it as key=value.`)
      return [text.slice(0, equals), text.slice(equals + 1)]
    }),
  )
}

/** @throws UsageError when the text is not JSON */
export function parseJson(option: string, text: string | undefined): unknown {
  if (text === undefined) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    throw new UsageError(
      `--${option} is not valid JSON: ${error instanceof Error ? error.message : 'unreadable'}`,
    )
  }
}

/** How a default reads; empty for none and for an empty one. */
function defaultText(value: unknown): string {
  if (value === undefined) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text === '{}' || text === '[]' ? '' : text
}
