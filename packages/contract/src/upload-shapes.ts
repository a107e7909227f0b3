import { z } from 'zod'
import { timestamp } from './fields.ts'

/** The largest single upload, the largest file of a project, and the largest content that may come inline, in bytes. */
export const uploadLimits = {
  uploadBytes: 512 * 1024 * 1024,
  projectFileBytes: 200 * 1024 * 1024,
  inlineBytes: 100_000,
} as const

/** What an upload must say about its file. */
export const uploadFileFields = {
  file_name: z.string().min(1).max(200).describe('Name of the file, without its folder.'),
  size_bytes: z
    .number()
    .int()
    .min(1)
    .max(uploadLimits.uploadBytes)
    .describe('Exact size; the upload URL takes exactly that much.'),
}

/** A request that may be made once without a credential, and the same as a curl line. */
export const presignedShape = z.object({
  method: z.enum(['PUT', 'GET']),
  url: z.string(),
  headers: z.record(z.string(), z.string()).describe('Send them exactly so.'),
  expires_at: timestamp,
  curl: z.string().describe('The same as a command.'),
})

/** What every asynchronous answer carries. */
export const taskFields = {
  task_id: z.string().describe('Ask get_task_result about it.'),
  next_poll_seconds: z.number().int().describe('How long to wait before asking.'),
}

/** Markdown that tells how to upload and what to do then. */
export function uploadInstructions(upload: z.output<typeof presignedShape>, taskId: string): string {
  return [
    `Upload the file, once, before ${upload.expires_at}:`,
    `\`\`\`sh\n${upload.curl}\n\`\`\``,
    `Then ask get_task_result about task ${taskId}. If you cannot reach that host, ask the person to run the command.`,
  ].join('\n\n')
}

export const exampleUpload: z.output<typeof presignedShape> = {
  method: 'PUT',
  url: 'https://flamegate.example/v1/objects/ws_01/fil_01?signature=…',
  headers: { 'content-type': 'application/octet-stream' },
  expires_at: '2026-11-20T11:00:00.000Z',
  curl: "curl -X PUT -H 'content-type: application/octet-stream' --data-binary @cpu.pb.gz 'https://flamegate.example/v1/objects/…'",
}
