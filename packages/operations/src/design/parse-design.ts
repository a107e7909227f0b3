import { Problem } from '@flamegate/contract'
import {
  DocumentError,
  parseDocument,
  ruleFault,
  schemaNames,
  type CorrelationRule,
  type DocumentKind,
  type DocumentOf,
} from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'

/**
 * A document of a kind, out of what a caller gave.
 * @param fieldOf The field of the input that a place in the document comes from
 * @throws Problem `invalid_input` that names the fields, and the schema to read
 */
export function parseDesign<Kind extends DocumentKind>(
  { deps }: Pick<CallContext, 'deps'>,
  kind: Kind,
  value: unknown,
  fieldOf: (pointer: string) => string = (pointer) => pointer,
): DocumentOf<Kind> {
  try {
    const document = parseDocument(kind, value)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of that kind
    if (kind === 'correlation_rule') checkRule(document as CorrelationRule)
    return document
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const errors = error.faults.map(({ pointer, message }) => ({
      field: fieldOf(pointer) || '(document)',
      message: message.endsWith('received undefined') ? 'Required.' : message,
    }))
    const fields = [...new Set(errors.map(({ field }) => field))].join(', ')
    throw new Problem(
      'invalid_input',
      `The ${kind.replace('_', ' ')} would not be valid: look at ${fields}.${schemaWords(kind, deps.guides)}`,
      {
        errors,
        cause: error,
      },
    )
  }
}

/** Where the JSON Schema of such a document can be read. */
function schemaWords(kind: DocumentKind, guides: CallContext['deps']['guides']): string {
  const names: Partial<Record<DocumentKind, string>> = schemaNames
  const schema = guides.find(({ name }) => name === `${names[kind]}.json`)
  return schema === undefined ? '' : ` Its JSON Schema is at ${schema.publicUrl}`
}

/** @throws DocumentError for a pattern or path that finds nothing, whatever is answered */
function checkRule(rule: CorrelationRule): void {
  const message = ruleFault(rule)
  const pointer = rule.source.type === 'json_path' ? '/source/path' : '/source/pattern'
  if (message !== undefined) throw new DocumentError([{ pointer, message }])
}

/** Place of a field in a flat input: `/values/3` is `values.3`. */
export function dotted(pointer: string): string {
  return pointer.slice(1).replaceAll('/', '.')
}

/** Without the fields that were not given. */
export function given<T extends object>(fields: T): Partial<T> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- some of the same fields
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}
