import {
  catalogue,
  fieldsOf,
  inputSchemaOf,
  toolsets,
  type JsonSchema,
  type Operation,
} from '../../packages/contract/src/index.ts'
import { code, generatedNote, jsonBlock, table } from './markdown.ts'

/** Every operation by toolset: what it does, its route, fields, problems and an example. */
export function operationsPage(): string {
  const groups = Object.entries(toolsets)
    .map(([toolset, description]) => ({
      toolset,
      description,
      members: catalogue.filter((operation) => operation.toolset === toolset),
    }))
    .filter((group) => group.members.length > 0)
  return [
    '# Operations',
    generatedNote,
    `Every operation is one REST route and, unless it says otherwise, one MCP tool of the same name. There are ${catalogue.length}; ${catalogue.filter((operation) => operation.mcp).length} of them are tools. The words used here are explained in the [glossary](../glossary.md).`,
    'Any operation may refuse with `invalid_input`, `unauthenticated` or `insufficient_scope`; what else it may refuse with is listed at each. [Problems](problems.md) explains them. Every answer has `url`, the page in the web UI, beside what the example shows. A field without a default and not required may be left out.',
    groups
      .map(
        ({ toolset, members }) =>
          `- **${toolset}**: ${members.map((each) => `[${each.id}](#${each.id})`).join(', ')}`,
      )
      .join('\n'),
    ...groups.flatMap(({ toolset, description, members }) => [
      `## ${toolset}`,
      `${description}.`,
      ...members.flatMap(section),
    ]),
  ]
    .join('\n\n')
    .concat('\n')
}

/** Its heading is the name and nothing else, so that the name is its anchor. */
function section(operation: Operation): string[] {
  const [example] = operation.examples
  return [
    `### ${operation.id}`,
    `**${operation.title}.** ${operation.description}`,
    `${code(`${operation.http.method} ${operation.http.path}`)} · effect ${operation.effect} · scope ${operation.scopes.join(' or ')} · role ${operation.role}${operation.mcp ? '' : ' · not an MCP tool'}`,
    ...fieldTable(operation),
    ...(operation.problems.length === 0
      ? []
      : [`Problems: ${operation.problems.map((each) => `[${each}](problems.md#${each})`).join(', ')}.`]),
    ...(example === undefined
      ? []
      : [
          `<details><summary>Example: ${example.title}</summary>`,
          jsonBlock(example.input),
          jsonBlock(example.output),
          '</details>',
        ]),
  ]
}

function fieldTable(operation: Operation): string[] {
  const schema = inputSchemaOf(operation)
  const rows = fieldsOf(schema).map(([name, field]) => [
    code(name) + (schema.required?.includes(name) === true ? ' (required)' : ''),
    placeOf(operation, name),
    typeOf(field),
    field.default === undefined ? '' : code(JSON.stringify(field.default)),
    meaningOf(field),
  ])
  return rows.length === 0
    ? ['It takes no fields.']
    : [table(['Field', 'In', 'Type', 'Default', 'Meaning'], rows)]
}

/** Where the field travels over REST; over MCP all are arguments. */
function placeOf(operation: Operation, name: string): string {
  if (operation.pathParameters.includes(name)) return 'path'
  if (name === 'if_version') return 'body, or the If-Match header'
  return operation.http.method === 'GET' || operation.http.method === 'DELETE' ? 'query' : 'body'
}

function meaningOf(field: JsonSchema): string {
  return field.description ?? (field.anyOf ?? []).map((each) => each.description ?? '').join('')
}

function typeOf(field: JsonSchema | boolean | undefined): string {
  if (typeof field !== 'object') return 'anything'
  if (field.enum !== undefined) return field.enum.map((value) => code(String(value))).join(', ')
  if (field.anyOf !== undefined) return field.anyOf.map(typeOf).join(' or ')
  if (field.type === 'array')
    return `list of ${typeOf(Array.isArray(field.items) ? field.items[0] : field.items)}`
  return `${String(field.type ?? 'anything')}${limitsOf(field)}`
}

function limitsOf(field: JsonSchema): string {
  const [least, most, unit] =
    field.type === 'string'
      ? [field.minLength, field.maxLength, ' characters']
      : [field.minimum, field.maximum, '']
  if (isSet(least) && isSet(most)) return `, ${least} to ${most}${unit}`
  if (isSet(most)) return `, at most ${most}${unit}`
  return isSet(least) ? `, at least ${least}${unit}` : ''
}

/** Integers carry the limits of safe integers by themselves; nobody set those. */
function isSet(limit: number | undefined): boolean {
  return limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER
}
