import { Problem, statedInput, type FieldError, type Operation } from '@flamegate/contract'
import { z } from 'zod'

/** Says every field that was wrong, what was wrong with it, what one that is missing is, and for an unknown field which ones there are. */
export function inputProblem(operation: Operation, input: unknown, error: z.ZodError): Problem {
  const errors = error.issues.flatMap((issue) => fieldErrors(issue, input, operation)).slice(0, 20)
  const fields = [...new Set(errors.map((each) => each.field))].join(', ')
  return new Problem('invalid_input', `The input of ${operation.id} is not valid: look at ${fields}.`, {
    errors,
    cause: error,
  })
}

/**
 * What its schema makes of an input.
 * @throws Problem `invalid_input` when it is nested so deep that the stack does not suffice, as of something that has a `length`,
 * which zod compares
 */
export function readInput(operation: Operation, input: unknown) {
  try {
    return operation.input.safeParse(statedInput(operation, input))
  } catch (error) {
    if (error instanceof RangeError && /call stack/.test(error.message)) throw tooDeep()
    throw error
  }
}

/** Nothing that we take is nested as deep; what walks through it would run out of stack. */
const depthMax = 500

/**
 * Postgres stores no U+0000, so that no field may hold it. Gives the path of the first that does.
 * https://www.postgresql.org/docs/current/datatype-character.html
 * @throws Problem `invalid_input` when the value is nested deeper than `depthMax`
 */
export function fieldWithNul(value: unknown, path = '', depth = 0): string | undefined {
  if (typeof value === 'string') return value.includes('\0') ? path || '(input)' : undefined
  if (typeof value !== 'object' || value === null) return undefined
  if (depth > depthMax) throw tooDeep()
  if (Array.isArray(value)) {
    for (const [index, member] of value.entries()) {
      // Of a hundred thousand numbers there are no paths to be made.
      if (typeof member === 'number') continue
      const found = fieldWithNul(member, `${path === '' ? '' : `${path}.`}${index}`, depth + 1)
      if (found !== undefined) return found
    }
    return undefined
  }
  for (const [name, member] of Object.entries(value)) {
    const found =
      fieldWithNul(name, path) ?? fieldWithNul(member, path === '' ? name : `${path}.${name}`, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

function tooDeep(): Problem {
  return new Problem('invalid_input', `The input is nested more than ${depthMax} deep: make it flatter.`)
}

function fieldErrors(issue: z.core.$ZodIssue, input: unknown, operation: Operation): FieldError[] {
  const { shape } = operation.input
  const known = Object.keys(shape)
  const path = issue.path.map(String).join('.')
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      field: path === '' ? key : `${path}.${key}`,
      message:
        path === ''
          ? `Unknown field. ${known.length === 0 ? 'It takes no fields.' : `Known fields: ${known.join(', ')}.`}`
          : 'Unknown field.',
    }))
  }
  if (issue.code === 'invalid_type' && valueAt(input, issue.path) === undefined) {
    const schema = shape[path]
    const description = schema === undefined ? undefined : z.globalRegistry.get(schema)?.description
    return [{ field: path || '(input)', message: `Required. ${description ?? ''}`.trim() }]
  }
  return [{ field: path || '(input)', message: issue.message }]
}

/** Issues do not have what was sent: it may be a secret, and errors are logged. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined),
    input,
  )
}
