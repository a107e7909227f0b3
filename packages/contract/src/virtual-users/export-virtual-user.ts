import { z } from 'zod'
import { virtualUserId } from '../fields.ts'
import { defineOperation } from '../operation.ts'
import { exampleDownload, exportedFile, exportedFileParagraphs } from '../profiles/exported-file.ts'
import { virtualUserLink } from './virtual-user-shapes.ts'

export const exportVirtualUser = defineOperation({
  id: 'export_virtual_user',
  title: 'Export a virtual user',
  description: 'A virtual user with all it needs but secrets, as a file to download.',
  toolset: 'virtual_users',
  effect: 'read',
  scopes: ['read'],
  http: { method: 'GET', path: '/v1/virtual-users/{virtual_user_id}/export' },
  input: z.strictObject({
    virtual_user_id: virtualUserId,
    format: z.enum(['archive', 'jmx', 'k6', 'har']).default('archive').describe('har: of a validation.'),
    validation_id: z.string().max(64).optional().describe('For har: not the latest.'),
  }),
  output: z.object({ virtual_user_id: z.string(), format: z.string(), ...exportedFile }),
  problems: ['virtual_user_not_found', 'validation_not_found', 'too_large'],
  examples: [
    {
      title: 'To take it to another project',
      input: { virtual_user_id: 'vu_01' },
      output: {
        virtual_user_id: 'vu_01',
        format: 'archive',
        file_name: 'Buyer.zip',
        content_type: 'application/zip',
        size_bytes: 4210,
        download: exampleDownload('Buyer.zip'),
        notes: [],
      },
    },
  ],
  link: ({ virtual_user_id }) => virtualUserLink({ id: virtual_user_id }),
  markdown: (file) => exportedFileParagraphs(file).join('\n\n'),
})
