import { z } from 'zod'
import { fileId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { presignedShape } from '../upload-shapes.ts'

export const downloadFile = defineOperation({
  id: 'download_file',
  title: 'Download a file',
  description: 'A download URL for a file as it was uploaded, good for five minutes. Ask again for another.',
  toolset: 'general',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/files/{file_id}/download-url' },
  input: z.strictObject({ file_id: fileId }),
  output: z.object({
    file_id: z.string(),
    name: z.string(),
    size_bytes: z.number(),
    download: presignedShape,
    page: z.string(),
  }),
  problems: ['file_not_found', 'upload_missing'],
  examples: [
    {
      title: 'A profile',
      input: { file_id: 'fil_01' },
      output: {
        file_id: 'fil_01',
        name: 'cpu.pb.gz',
        size_bytes: 48_211,
        page: '/projects/prj_01',
        download: {
          method: 'GET',
          url: 'https://flamegate.example/v1/objects/ws_01/fil_01?signature=…',
          headers: {},
          expires_at: '2026-11-20T11:00:00.000Z',
          curl: "curl -o 'cpu.pb.gz' 'https://flamegate.example/v1/objects/…'",
        },
      },
    },
  ],
  link: ({ page }) => page,
  markdown: ({ name, download }) =>
    `${name}, until ${download.expires_at}:\n\n\`\`\`sh\n${download.curl}\n\`\`\``,
})
