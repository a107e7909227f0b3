const maps = ['properties', 'patternProperties', 'dependentSchemas', '$defs']
const lists = ['allOf', 'anyOf', 'oneOf', 'prefixItems']
const singles = [
  'items',
  'contains',
  'not',
  'propertyNames',
  'if',
  'then',
  'else',
  'additionalProperties',
  'unevaluatedProperties',
]
const mayBeBoolean = new Set(['additionalProperties', 'unevaluatedProperties'])
/** Words that say something without restricting anything. */
const annotations = new Set(['title', 'description', 'default', 'examples', '$comment', 'deprecated'])

/**
 * What `mcp-inspector --strict` (2.12) says about a tool's schema, errors and warnings alike: bare `true` and `false`,
 * lists of types, references to elsewhere, and schemas that take anything.
 * https://github.com/modelcontextprotocol/inspector/pull/2121
 */
export function lintSchema(schema: unknown, path = '(root)', keyword = ''): string[] {
  if (typeof schema === 'boolean') return mayBeBoolean.has(keyword) ? [] : [`${path}: bare ${schema}`]
  if (!isObject(schema)) return [`${path}: no schema`]
  const { type, $ref } = schema
  return [
    ...(Array.isArray(type) ? [`${path}: several types`] : []),
    ...(typeof $ref === 'string' && !$ref.startsWith('#') ? [`${path}: reference to elsewhere`] : []),
    ...(Object.keys(schema).every((word) => annotations.has(word)) && keyword !== 'not'
      ? [`${path}: untyped`]
      : []),
    ...maps.flatMap((word) =>
      Object.entries(isObject(schema[word]) ? schema[word] : {}).flatMap(([name, part]) =>
        lintSchema(part, `${path}.${name}`, word),
      ),
    ),
    ...lists.flatMap((word) =>
      (Array.isArray(schema[word]) ? schema[word] : []).flatMap((part: unknown, at) =>
        lintSchema(part, `${path}.${word}[${at}]`, word),
      ),
    ),
    ...singles.flatMap((word) => (word in schema ? lintSchema(schema[word], `${path}.${word}`, word) : [])),
  ]
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
