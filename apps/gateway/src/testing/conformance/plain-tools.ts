import { capabilitiesOf, delay, missingCapability, png, textAnswer, textContent, wav } from './fixture.ts'
import type { CallContext, FixtureTool } from './fixture.ts'

/** Tools that answer at once, or with a few notifications before. `tellChange`: everybody's lists have changed. */
export function plainTools(tellChange: () => void): FixtureTool[] {
  return [
    {
      name: 'test_simple_text',
      description: 'Answers text',
      call: () => textAnswer('This is a simple text response for testing.'),
    },
    {
      name: 'test_image_content',
      description: 'Answers an image',
      call: () => ({ content: [{ type: 'image', data: png, mimeType: 'image/png' }] }),
    },
    {
      name: 'test_audio_content',
      description: 'Answers audio',
      call: () => ({ content: [{ type: 'audio', data: wav, mimeType: 'audio/wav' }] }),
    },
    {
      name: 'test_embedded_resource',
      description: 'Answers a resource',
      call: () => ({
        content: [
          embedded('test://embedded-resource', 'text/plain', 'This is an embedded resource content.'),
        ],
      }),
    },
    {
      name: 'test_multiple_content_types',
      description: 'Answers text, an image and a resource',
      call: () => ({
        content: [
          textContent('Multiple content types test:'),
          { type: 'image', data: png, mimeType: 'image/png' },
          embedded('test://mixed-content-resource', 'application/json', '{"test":"data","value":123}'),
        ],
      }),
    },
    {
      name: 'test_error_handling',
      description: 'Fails',
      call: () => ({
        ...textAnswer('This tool intentionally returns an error for testing'),
        isError: true,
      }),
    },
    {
      name: 'test_tool_with_logging',
      description: 'Logs three times',
      async call(_input, { mcpReq }) {
        await mcpReq.log('info', 'Tool execution started')
        await delay(50)
        await mcpReq.log('info', 'Tool processing data')
        await delay(50)
        await mcpReq.log('info', 'Tool execution completed')
        return textAnswer('Logged three times.')
      },
    },
    {
      name: 'test_logging_tool',
      description: 'Logs once, for those who want to hear it',
      async call(_input, { mcpReq }) {
        await mcpReq.log('info', 'Something happened')
        return textAnswer('Logged once.')
      },
    },
    {
      name: 'test_tool_with_progress',
      description: 'Tells its progress three times',
      async call(_input, context) {
        for (const progress of [0, 50, 100]) {
          await tellProgress(context, progress)
          await delay(50)
        }
        return textAnswer('Done.')
      },
    },
    {
      name: 'test_missing_capability',
      description: 'Needs a client that samples',
      call(_input, context) {
        if (capabilitiesOf(context)['sampling'] === undefined) throw missingCapability({ sampling: {} })
        return textAnswer('The client samples.')
      },
    },
    { name: 'test_trigger_tool_change', description: 'Changes the tools', call: () => changed(tellChange) },
    {
      name: 'test_trigger_prompt_change',
      description: 'Changes the prompts',
      call: () => changed(tellChange),
    },
    {
      name: 'json_schema_2020_12_tool',
      description: 'Has JSON Schema 2020-12 of every kind in its input',
      inputSchema: schema2020,
      call: () => textAnswer('Taken.'),
    },
  ]
}

async function tellProgress({ mcpReq }: CallContext, progress: number): Promise<void> {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return
  await mcpReq.notify({
    method: 'notifications/progress',
    params: { progressToken, progress, total: 100 },
  })
}

function changed(tellChange: () => void) {
  tellChange()
  return textAnswer('Changed.')
}

function embedded(uri: string, mimeType: string, text: string) {
  return { type: 'resource', resource: { uri, mimeType, text } }
}

const schema2020 = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object' as const,
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}
