import { operations, type RawInputOf, uploadLimits } from '@flamegate/contract'
import { client } from '../api.ts'
import { uploadBytes } from '../uploads/upload-bytes.ts'

type Input = RawInputOf<typeof operations.importVirtualUser>

/** What is imported: a file, or text that was pasted. */
export type ImportSource = { file: File } | { text: string }

interface Settings {
  signal: AbortSignal
  /** Told the share of the file that was sent, 0 to 1. */
  onProgress: (share: number) => void
}

/**
 * Brings a source to the platform, which reads it then.
 * @returns the task of the import
 */
export async function importSource(
  input: Omit<Input, 'file_name' | 'size_bytes' | 'content'>,
  source: ImportSource,
  { signal, onProgress }: Settings,
): Promise<string> {
  const bytes = 'file' in source ? source.file : new Blob([source.text])
  const isInline = 'text' in source && bytes.size <= uploadLimits.inlineBytes
  const { upload, task_id } = await client.call(
    operations.importVirtualUser,
    {
      ...input,
      ...('file' in source ? { file_name: source.file.name } : {}),
      ...(isInline ? { content: source.text } : { size_bytes: bytes.size }),
    },
    { signal },
  )
  if (upload !== null) await uploadBytes(upload, bytes, { signal, onProgress })
  return task_id
}
