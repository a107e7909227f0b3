import { z } from 'zod'
import { profileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { formatQuantity } from '../quantity.ts'
import { presignedShape } from '../upload-shapes.ts'
import { sampleSelection } from './selection.ts'

export const exportProfile = defineOperation({
  id: 'export_profile',
  title: 'Export a profile',
  description:
    'A profile, or part of its samples, as a file for other tools: a single-use download URL, small texts inline.',
  toolset: 'profiles',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/profiles/{profile_id}/export' },
  input: z.strictObject({
    profile_id: profileId,
    format: z
      .enum(['pprof', 'speedscope', 'collapsed', 'd3', 'json', 'markdown', 'svg'])
      .describe('What to write.'),
    ...sampleSelection,
  }),
  output: z.object({
    profile_id: z.string(),
    format: z.string(),
    file_name: z.string(),
    content_type: z.string(),
    size_bytes: z.number().int(),
    content: z.string().nullable().describe('The whole file, when it is a small text.'),
    download: presignedShape,
    notes: z.array(z.string()).describe('What the format could not carry.'),
  }),
  problems: ['profile_not_found', 'not_ready', 'processing_failed', 'too_large', 'unavailable'],
  examples: [
    {
      title: 'Folded stacks',
      input: { profile_id: 'prf_01', format: 'collapsed' },
      output: {
        profile_id: 'prf_01',
        format: 'collapsed',
        file_name: 'cpu.collapsed.txt',
        content_type: 'text/plain; charset=utf-8',
        size_bytes: 22,
        content: 'main;parse 60\nmain 40\n',
        download: {
          method: 'GET',
          url: 'https://flamegate.example/v1/objects/ws_01/fil_02?signature=…',
          headers: {},
          expires_at: '2026-11-20T11:00:00.000Z',
          curl: "curl --fail -o 'cpu.collapsed.txt' 'https://flamegate.example/v1/objects/…'",
        },
        notes: [],
      },
    },
  ],
  link: ({ profile_id }) => `/profiles/${profile_id}`,
  markdown: ({ file_name, size_bytes, content, download, notes }) =>
    [
      `${file_name}, ${formatQuantity(size_bytes, 'bytes')}, until ${download.expires_at}:`,
      `\`\`\`sh\n${download.curl}\n\`\`\``,
      ...notes,
      ...(content === null ? [] : [`\`\`\`\`\n${content}\n\`\`\`\``]),
    ].join('\n\n'),
})
