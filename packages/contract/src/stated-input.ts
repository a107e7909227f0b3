import { z } from 'zod'
import type { Operation } from './operation.ts'

/** What a call is kept back by: a program that says null has not understood it, and must not go on without. */
const guards: ReadonlySet<string> = new Set(['dry_run', 'if_version'])

/** Fields that may be left out, and of which null is no value. */
const fieldsWithoutNull = new WeakMap<Operation, ReadonlySet<string>>()

/**
 * An input without the fields that say nothing. Models, and programs in languages that know nothing but null, send it for what they
 * leave out, and an empty cursor for the first page; where null is a value it stays.
 */
export function statedInput(operation: Operation, input: unknown): unknown {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return input
  const isSilent = ([name, value]: [string, unknown]) =>
    (value === null || (value === '' && name === 'cursor')) && mayBeLeftOut(operation, name)
  const fields = Object.entries(input)
  // Mostly there is none.
  return fields.some(isSilent) ? Object.fromEntries(fields.filter((field) => !isSilent(field))) : input
}

function mayBeLeftOut(operation: Operation, name: string): boolean {
  const known = fieldsWithoutNull.get(operation)
  if (known !== undefined) return known.has(name)
  const names = Object.entries(operation.input.shape)
    .filter(([, schema]) => z.safeParse(schema, undefined).success && !z.safeParse(schema, null).success)
    .map(([field]) => field)
    .filter((field) => !guards.has(field))
  fieldsWithoutNull.set(operation, new Set(names))
  return names.includes(name)
}
