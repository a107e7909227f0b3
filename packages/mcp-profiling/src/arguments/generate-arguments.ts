import { seededRandom } from '../seeded-random.ts'
import { ValueMaker } from './make-value.ts'
import { ImpossibleError, isRecord, isSchema } from './schema-node.ts'

/** Arguments that a tool's schema allows, or why none could be made. */
export type GeneratedArguments =
  | { outcome: 'generated'; arguments: Record<string, unknown> }
  | { outcome: 'impossible'; reason: string }

/**
 * Valid arguments for a tool by its JSON Schema (2020-12 or draft 7), the same for the same seed: examples and defaults of
 * the schema go before what is made up, and what need not be there is mostly left out. They are checked against the whole
 * schema before they are given out. What they mean to the tool nobody knows.
 */
export function generateArguments(schema: unknown, seed: number): GeneratedArguments {
  if (schema === undefined) return { outcome: 'generated', arguments: {} }
  if (!isSchema(schema)) return { outcome: 'impossible', reason: 'its schema is no JSON Schema' }
  try {
    const made = new ValueMaker(schema, seededRandom(seed)).make([schema, { type: 'object' }], '')
    if (isRecord(made)) return { outcome: 'generated', arguments: made }
    return { outcome: 'impossible', reason: 'its schema asks for something else than an object' }
  } catch (error) {
    if (error instanceof ImpossibleError)
      return { outcome: 'impossible', reason: error.message.replace(/^: /, '') }
    // Of a pattern that no regular expression is.
    if (error instanceof SyntaxError)
      return { outcome: 'impossible', reason: `its schema is faulty: ${error.message}` }
    throw error
  }
}
