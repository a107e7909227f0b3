import { open, readFile, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { uploadLimits } from '@flamegate/contract/upload-shapes'
import { UsageError } from '../usage-error.ts'

/** A file to upload, on disk or already read from stdin. */
export interface UploadFile {
  name: string
  sizeBytes: number
  /** The first bytes, at most 64 KiB: what its kind is told from. */
  head: Uint8Array
  read(): Promise<Uint8Array>
  /** Where it is on disk, so that large ones are streamed; undefined for stdin. */
  path?: string
}

const headBytes = 64 * 1024

/**
 * @param name what somebody called it
 * @throws UsageError when the file is empty or larger than an upload may be
 */
export async function openFile(path: string, name: string): Promise<UploadFile> {
  const { size } = await stat(path)
  checkSize(name, size)
  return {
    name: basename(path),
    sizeBytes: size,
    head: await readHead(path),
    read: () => readFile(path),
    path,
  }
}

/** Everything that comes in on stdin. @throws UsageError when that is nothing, or too much */
export async function readStdin(stdin: AsyncIterable<Uint8Array>): Promise<UploadFile> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of stdin) {
    chunks.push(chunk)
    sizeBytes += chunk.length
    if (sizeBytes > uploadLimits.uploadBytes) break
  }
  return bytesFile('stdin', Buffer.concat(chunks))
}

/** What is in memory as a file. @throws UsageError when that is nothing, or too much */
export function bytesFile(name: string, bytes: Buffer): UploadFile {
  checkSize(name, bytes.length)
  return {
    name,
    sizeBytes: bytes.length,
    head: bytes.subarray(0, headBytes),
    read: () => Promise.resolve(bytes),
  }
}

function checkSize(name: string, sizeBytes: number): void {
  if (sizeBytes === 0) throw new UsageError(`${name}: It is empty.`)
  if (sizeBytes > uploadLimits.uploadBytes) {
    throw new UsageError(`${name}: It has more than ${uploadLimits.uploadBytes} bytes, which is the most.`)
  }
}

async function readHead(path: string): Promise<Uint8Array> {
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(headBytes) })
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}
