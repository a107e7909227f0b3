import type { JsonSchema } from '@flamegate/contract'

// A model pays for each word of a listing on every turn. What it does not need to make a call is left out there;
// describe_tool and OpenAPI say all of it, and the server refuses what does not fit with the field and the reason.

/** More choices than that are a table, not a hint. */
const choicesMax = 12

/** Nobody asks for that many by chance. */
const rarelyReached = 200

/** A tool's input schema as listings show it. */
export function leanInputSchema(schema: JsonSchema): Record<string, unknown> {
  // That unknown fields are refused is said when there is one.
  const { additionalProperties: _rest, ...kept } = schema
  return { ...leanSchema(kept) }
}

/** Undefined when it only says the name in other letters, which clients do themselves: `List runs` for `list_runs`. */
export function leanTitle(name: string, title: string): string | undefined {
  const words = title.toLowerCase().replaceAll(/\b(?:an?|the|of|your)\b/g, '')
  return words.split(/\s+/).filter(Boolean).join('_') === name ? undefined : title
}

function leanSchema(schema: JsonSchema): JsonSchema {
  const {
    minLength: _min,
    maxLength: _max,
    minItems: _few,
    maxItems: _many,
    pattern: _form,
    ...part
  } = schema
  // Whoever counts guesses that much.
  if (part.minimum === 0 || part.minimum === 1) delete part.minimum
  if (part.exclusiveMinimum === 0) delete part.exclusiveMinimum
  if ((part.maximum ?? 0) >= rarelyReached) delete part.maximum
  if (isEmpty(part.default)) delete part.default
  // A default does for most calls, and a choice that is none is answered with those there are.
  if (part.default !== undefined && (part.enum?.length ?? 0) > choicesMax) delete part.enum
  if (part.description !== undefined) part.description = leanDescription(part.description)
  if (part.properties !== undefined) part.properties = mapValues(part.properties, leanPart)
  if (part.items !== undefined)
    part.items = Array.isArray(part.items) ? part.items.map(leanPart) : leanPart(part.items)
  if (part.additionalProperties !== undefined) part.additionalProperties = leanPart(part.additionalProperties)
  if (part.anyOf !== undefined) {
    part.anyOf = part.anyOf.map((branch) =>
      leanPart(part.description === undefined ? branch : untold(branch)),
    )
  }
  return part
}

function leanPart<T>(part: T | JsonSchema): T | JsonSchema {
  return isSchema(part) ? leanSchema(part) : part
}

/** The first sentence, of a long one its first clause, without where ids come from: the names of the tools say that. */
function leanDescription(description: string): string {
  return description
    .replace(/(?<=\.) .*$/s, '')
    .replaceAll(/ \(\w+_…\)/g, '')
    .replace(/; [a-z]+_\w+ shows them(?=\.$)/, '')
    .replace(/(?<=^.{30,}); .*(?=\.$)/, '')
}

/** What is said of the whole is not said of each way to write it. */
function untold<T>(branch: T | JsonSchema): T | JsonSchema {
  if (!isSchema(branch)) return branch
  const { description: _said, ...others } = branch
  return others
}

function isEmpty(value: unknown): boolean {
  return (
    value === null ||
    value === '' ||
    value === false ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  )
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function mapValues<T>(values: Readonly<Record<string, T>>, change: (value: T) => T): Record<string, T> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, change(value)]))
}
