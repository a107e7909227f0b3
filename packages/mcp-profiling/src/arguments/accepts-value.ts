import {
  isRecord,
  isSameJson,
  isSchema,
  patternOf,
  resolveReference,
  schemaList,
  schemaMap,
} from './schema-node.ts'
import type { SchemaNode } from './schema-node.ts'

/** What texts of a format look like: enough to tell what the generator makes apart. */
const formatLooks: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  time: /^\d\d:\d\d:\d\d\S+$/,
  'date-time': /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\S+$/i,
  duration: /^P[\dTYMWDHS.]+$/,
  email: /^[^@\s]+@[^@\s]+$/,
  uri: /^[a-z][\w+.-]*:\S+$/i,
  url: /^[a-z][\w+.-]*:\S+$/i,
  uuid: /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i,
  ipv4: /^\d+(\.\d+){3}$/,
  ipv6: /^[\da-f:.]*:[\da-f:.]*$/i,
}

/** Deeper schemas are taken to accept: recursion that ends nowhere is no matter of a value. */
const DEPTH_MAX = 60

type Keywords = Exclude<SchemaNode, boolean>

/**
 * Whether a schema accepts a JSON value: the assertions of draft 2020-12 and those of draft 7 that it replaced. What
 * is not looked at is `unevaluated…`, for the generator makes nothing that no schema names.
 */
export function acceptsValue(root: SchemaNode, schema: SchemaNode, value: unknown, depth = 0): boolean {
  if (typeof schema === 'boolean') return schema
  if (depth > DEPTH_MAX) return true
  const accepts = (node: SchemaNode, part: unknown = value): boolean =>
    acceptsValue(root, node, part, depth + 1)
  if (typeof schema['$ref'] === 'string' && !accepts(resolveReference(root, schema['$ref']))) return false
  return (
    acceptsAny(schema, value) &&
    acceptsBranches(schema, accepts) &&
    (typeof value !== 'number' || acceptsNumber(schema, value)) &&
    (typeof value !== 'string' || acceptsString(schema, value)) &&
    (!Array.isArray(value) || acceptsArray(schema, value, accepts)) &&
    (!isRecord(value) || acceptsObject(schema, value, accepts))
  )
}

type Accepts = (node: SchemaNode, part?: unknown) => boolean

function acceptsAny(schema: Keywords, value: unknown): boolean {
  const { type, enum: values } = schema
  const types = typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined
  if (types && !types.some((name) => isOfType(value, name))) return false
  if (Object.hasOwn(schema, 'const') && !isSameJson(schema['const'], value)) return false
  return !Array.isArray(values) || values.some((each) => isSameJson(each, value))
}

function isOfType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  if (type === 'array') return Array.isArray(value)
  if (type === 'null') return value === null
  if (type === 'object') return isRecord(value)
  return typeof value === type
}

function acceptsBranches(schema: Keywords, accepts: Accepts): boolean {
  const { anyOf, oneOf, not, if: condition } = schema
  if (!schemaList(schema['allOf']).every((branch) => accepts(branch))) return false
  if (Array.isArray(anyOf) && !schemaList(anyOf).some((branch) => accepts(branch))) return false
  if (Array.isArray(oneOf) && schemaList(oneOf).filter((branch) => accepts(branch)).length !== 1) return false
  if (isSchema(not) && accepts(not)) return false
  if (!isSchema(condition)) return true
  const branch = schema[accepts(condition) ? 'then' : 'else']
  return !isSchema(branch) || accepts(branch)
}

function acceptsNumber(schema: Keywords, value: number): boolean {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = schema
  if (typeof minimum === 'number' && value < minimum) return false
  if (typeof maximum === 'number' && value > maximum) return false
  if (typeof exclusiveMinimum === 'number' && value <= exclusiveMinimum) return false
  if (typeof exclusiveMaximum === 'number' && value >= exclusiveMaximum) return false
  return typeof multipleOf !== 'number' || Number.isInteger(value / multipleOf)
}

function acceptsString(schema: Keywords, value: string): boolean {
  const { minLength, maxLength, pattern, format } = schema
  const length = Array.from(value).length
  if (typeof minLength === 'number' && length < minLength) return false
  if (typeof maxLength === 'number' && length > maxLength) return false
  if (typeof pattern === 'string' && !patternOf(pattern).test(value)) return false
  const looks =
    typeof format === 'string' && Object.hasOwn(formatLooks, format) ? formatLooks[format] : undefined
  return looks === undefined || looks.test(value)
}

function acceptsArray(schema: Keywords, value: unknown[], accepts: Accepts): boolean {
  const { minItems, maxItems, uniqueItems, contains, minContains = 1, maxContains } = schema
  if (typeof minItems === 'number' && value.length < minItems) return false
  if (typeof maxItems === 'number' && value.length > maxItems) return false
  if (
    uniqueItems === true &&
    value.some((item, at) => value.slice(0, at).some((other) => isSameJson(item, other)))
  )
    return false
  if (isSchema(contains)) {
    const count = value.filter((item) => accepts(contains, item)).length
    if (typeof minContains === 'number' && count < minContains) return false
    if (typeof maxContains === 'number' && count > maxContains) return false
  }
  return value.every((item, at) => {
    const schemaOfItem = itemSchema(schema, at)
    return schemaOfItem === undefined || accepts(schemaOfItem, item)
  })
}

/** What an array says of its item at a place; undefined where it says nothing. */
export function itemSchema(schema: Keywords, at: number): SchemaNode | undefined {
  const { items, additionalItems } = schema
  // Draft 7 has the first ones in `items`, and the others in `additionalItems`.
  const first = Array.isArray(items) ? schemaList(items) : schemaList(schema['prefixItems'])
  const rest = Array.isArray(items) ? additionalItems : items
  return first[at] ?? (isSchema(rest) ? rest : undefined)
}

function acceptsObject(schema: Keywords, value: Record<string, unknown>, accepts: Accepts): boolean {
  const { minProperties, maxProperties, required, propertyNames } = schema
  const names = Object.keys(value)
  const has = (name: unknown) => typeof name === 'string' && Object.hasOwn(value, name)
  if (typeof minProperties === 'number' && names.length < minProperties) return false
  if (typeof maxProperties === 'number' && names.length > maxProperties) return false
  if (Array.isArray(required) && !required.every(has)) return false
  if (isSchema(propertyNames) && !names.every((name) => accepts(propertyNames, name))) return false
  for (const [name, others] of listsOf(schema['dependentRequired'], schema['dependencies']))
    if (has(name) && !others.every(has)) return false
  for (const [name, dependent] of [
    ...schemaMap(schema['dependentSchemas']),
    ...schemaMap(schema['dependencies']),
  ])
    if (has(name) && !accepts(dependent)) return false
  return names.every((name) => propertySchemas(schema, name).every((node) => accepts(node, value[name])))
}

/** Everything that an object says of its property of that name. */
export function propertySchemas(schema: Keywords, name: string): SchemaNode[] {
  const { additionalProperties } = schema
  const own = schemaMap(schema['properties']).filter(([key]) => key === name)
  const matching = schemaMap(schema['patternProperties']).filter(([key]) => patternOf(key).test(name))
  const named = [...own, ...matching].map(([, node]) => node)
  return named.length === 0 && isSchema(additionalProperties) ? [additionalProperties] : named
}

function listsOf(...maps: unknown[]): [string, unknown[]][] {
  return maps.flatMap((map) =>
    isRecord(map)
      ? Object.entries(map).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
      : [],
  )
}
