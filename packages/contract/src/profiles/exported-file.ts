import { z } from 'zod'
import { formatQuantity } from '../quantity.ts'
import { presignedShape } from '../upload-shapes.ts'

/** A file that was written, and the link to it. */
export const exportedFile = {
  file_name: z.string(),
  content_type: z.string(),
  size_bytes: z.number().int(),
  download: presignedShape,
  notes: z.array(z.string()).describe('What is not in it.'),
}

export const pictureWidth = z.number().int().min(400).max(4000).default(1600).describe('Of a png.')

/** How to get it, and what is not in it, as paragraphs of markdown. */
export function exportedFileParagraphs(
  file: Pick<z.output<z.ZodObject<typeof exportedFile>>, 'file_name' | 'size_bytes' | 'download' | 'notes'>,
): string[] {
  const { file_name, size_bytes, download, notes } = file
  return [
    `${file_name}, ${formatQuantity(size_bytes, 'bytes')}, until ${download.expires_at}:`,
    `\`\`\`sh\n${download.curl}\n\`\`\``,
    ...notes,
  ]
}

/** The link to a file of a name. */
export function exampleDownload(fileName: string): z.output<typeof presignedShape> {
  return {
    method: 'GET',
    url: 'https://flamegate.example/v1/objects/ws_01/fil_02?signature=…',
    headers: {},
    expires_at: '2026-11-20T11:00:00.000Z',
    curl: `curl --fail -o '${fileName}' 'https://flamegate.example/v1/objects/…'`,
  }
}
