import type { Client } from '@flamegate/client'
import type { SourceMapSearch } from '../source-maps/source-map-options.ts'
import type { Terminal } from '../terminal.ts'
import { progressOn } from '../upload/progress.ts'
import { openFile } from '../upload/upload-file.ts'
import { uploadProfile, type NewProfile, type UploadedProfile } from '../upload/upload-profile.ts'

/** Processes and threads write a file each; of very many, the largest are told most by. */
export const mostFiles = 20

/**
 * Uploads the files of one capture, the largest first.
 * @param moment tells this capture from another with the very same bytes
 */
export async function uploadCaptured(
  files: readonly string[],
  profile: NewProfile,
  {
    client,
    terminal,
    moment,
    isWaited,
    search,
  }: {
    client: Client
    terminal: Terminal
    moment: string | undefined
    isWaited: boolean
    search: SourceMapSearch | undefined
  },
): Promise<UploadedProfile[]> {
  const uploaded: UploadedProfile[] = []
  for (const path of files.slice(0, mostFiles)) {
    const file = await openFile(path, path)
    const progress = progressOn(terminal, file.name)
    try {
      const context = { client, progress, pause: (ms: number) => terminal.pause(ms), job: moment, isWaited }
      uploaded.push(await uploadProfile(context, file, profile, search))
    } finally {
      progress.end()
    }
  }
  return uploaded
}
