import {
  catalogue,
  fieldsOf,
  inputSchemaOf,
  outputSchemaOf,
  problems,
  scopes,
  toolsets,
  type Operation,
} from '@flamegate/contract'
import { mediaTypes } from '../representation.ts'

type Json = Record<string, unknown>

/** OpenAPI 3.1 of every operation. `serverUrl` is the public URL without a trailing slash. */
export function openApi(serverUrl: string): Json {
  const paths: Record<string, Json> = {}
  for (const operation of catalogue) {
    paths[operation.http.path] = {
      ...paths[operation.http.path],
      [operation.http.method.toLowerCase()]: describe(operation),
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Flamegate',
      version: '1',
      description:
        'Benchmarks, profiles and flame graphs. Every operation is an MCP tool of the same name as well.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: serverUrl }],
    tags: Object.entries(toolsets).map(([name, description]) => ({ name, description })),
    security: [{ apiToken: [] }, { oauth: ['read'] }],
    paths,
    components: {
      securitySchemes: {
        apiToken: { type: 'http', scheme: 'bearer', description: 'An API token: fg_…' },
        oauth: {
          type: 'oauth2',
          flows: {
            authorizationCode: {
              authorizationUrl: `${serverUrl}/oauth/authorize`,
              tokenUrl: `${serverUrl}/oauth/token`,
              refreshUrl: `${serverUrl}/oauth/token`,
              scopes,
            },
          },
        },
      },
      schemas: {
        Problem: {
          type: 'object',
          description: 'RFC 9457 problem details.',
          required: ['type', 'title', 'status', 'code', 'detail'],
          properties: {
            type: { type: 'string', format: 'uri' },
            title: { type: 'string' },
            status: { type: 'integer' },
            code: { type: 'string', enum: Object.keys(problems) },
            detail: { type: 'string' },
            hint: {
              type: 'object',
              description: 'An operation that helps, and what it does there.',
              required: ['operation', 'title', 'text'],
              properties: {
                operation: { type: 'string' },
                title: { type: 'string' },
                text: { type: 'string' },
              },
            },
            errors: {
              type: 'array',
              items: {
                type: 'object',
                required: ['field', 'message'],
                properties: { field: { type: 'string' }, message: { type: 'string' } },
              },
            },
            request_id: { type: 'string' },
            retry_after_seconds: { type: 'number' },
          },
        },
      },
    },
  }
}

function describe(operation: Operation): Json {
  const input = inputSchemaOf(operation)
  const fields = fieldsOf(input)
  const inBody = operation.http.method !== 'GET' && operation.http.method !== 'DELETE'
  const isPath = (name: string) => operation.pathParameters.includes(name)
  const parameters = fields
    .filter(([name]) => isPath(name) || !inBody)
    .map(([name, { description, ...schema }]) => ({
      name,
      in: isPath(name) ? 'path' : 'query',
      required: isPath(name) || (input.required ?? []).includes(name),
      ...(description === undefined ? {} : { description }),
      schema,
    }))
  const bodyProperties = Object.fromEntries(fields.filter(([name]) => !isPath(name)))
  const bodyRequired = (input.required ?? []).filter((name) => !isPath(name))
  return {
    operationId: operation.id,
    summary: operation.title,
    description: operation.description,
    tags: [operation.toolset],
    security: [{ apiToken: [] }, ...operation.scopes.map((scope) => ({ oauth: [scope] }))],
    parameters: [...parameters, ...headerParameters(operation)],
    ...(inBody
      ? {
          requestBody: {
            required: bodyRequired.length > 0,
            content: {
              [mediaTypes.json]: {
                schema: {
                  type: 'object',
                  properties: bodyProperties,
                  required: bodyRequired,
                  additionalProperties: false,
                },
                examples: Object.fromEntries(
                  operation.examples.map((example) => [
                    example.title,
                    { value: withoutPath(operation, example.input) },
                  ]),
                ),
              },
            },
          },
        }
      : {}),
    responses: { [operation.http.status]: success(operation), ...refusals(operation) },
  }
}

function headerParameters(operation: Operation): Json[] {
  if ('if_version' in operation.input.shape) {
    return [
      {
        name: 'If-Match',
        in: 'header',
        required: false,
        description: 'ETag that the document must still have.',
        schema: { type: 'string' },
      },
    ]
  }
  if (operation.http.method !== 'POST') return []
  return [
    {
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description:
        'Sent again with the same input within 24 hours, the first answer comes back and nothing is done twice.',
      schema: { type: 'string', maxLength: 200 },
    },
  ]
}

function success(operation: Operation): Json {
  return {
    description: operation.title,
    content: {
      [mediaTypes.json]: {
        schema: outputSchemaOf(operation),
        examples: Object.fromEntries(
          operation.examples.map((example) => [example.title, { value: example.output }]),
        ),
      },
      [mediaTypes.markdown]: { schema: { type: 'string' } },
      ...(operation.bytesField === undefined ? {} : { [mediaTypes.bytes]: {} }),
    },
  }
}

function refusals(operation: Operation): Json {
  const codes = [
    ...new Set(['invalid_input', 'unauthenticated', 'insufficient_scope', ...operation.problems] as const),
  ]
  const statuses = new Map<number, string[]>()
  for (const code of codes) {
    const { status, title } = problems[code]
    statuses.set(status, [...(statuses.get(status) ?? []), `${code}: ${title}`])
  }
  return Object.fromEntries(
    [...statuses].map(([status, texts]) => [
      status,
      {
        description: texts.join('; '),
        content: { [mediaTypes.problem]: { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    ]),
  )
}

function withoutPath(operation: Operation, input: Json): Json {
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => !operation.pathParameters.includes(name)),
  )
}
