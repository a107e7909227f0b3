import { z } from 'zod'
import { defineOperation } from '../operation.ts'

export const readGuide = defineOperation({
  id: 'read_guide',
  title: 'Read a guide',
  description:
    'How to do something with these tools, step by step, or the JSON Schema of a document. agents lists the guides there are; start there.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  tenancy: 'none',
  http: { method: 'GET', path: '/v1/public/guides/{name}' },
  input: z.strictObject({
    name: z
      .string()
      .min(1)
      .max(60)
      .default('agents')
      .describe('agents, a guide such as explain-regression, or a schema such as vu.json.'),
  }),
  output: z.object({
    name: z.string(),
    title: z.string(),
    description: z.string(),
    media_type: z.enum(['text/markdown', 'application/schema+json']),
    text: z.string(),
    others: z.array(z.string()).describe('Names of all that can be read.'),
    public_url: z.string().describe('The same as a file that asks for no credential.'),
  }),
  problems: ['guide_not_found'],
  examples: [
    {
      title: 'How to ask for what takes a while',
      input: { name: 'async-polling' },
      output: {
        name: 'async-polling',
        title: 'Wait for a task',
        description: 'How to wait for an upload to be read.',
        media_type: 'text/markdown',
        text: '# Wait for a task',
        others: ['agents', 'async-polling'],
        public_url: 'https://flamegate.example/mcp/public/skills/async-polling.md',
      },
    },
  ],
  link: () => '/connect',
  markdown: ({ media_type, text, others }) =>
    [
      media_type === 'text/markdown' ? text : `\`\`\`json\n${text}\n\`\`\``,
      `Others: ${others.join(', ')}`,
    ].join('\n\n'),
})
