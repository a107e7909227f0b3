import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { writeOwnerOnly } from './owner-only-file.ts'

/** What programs and tests on this machine need to use a running platform. On disk exactly so. */
export interface ReadyFile {
  url: string
  mcpUrl: string
  apiUrl: string
  pid: number
  /** The account that the first start made, with its password, while that has not been changed. */
  demo: { email: string; password: string }
}

/** Writes `<dataDir>/ready.json`, readable by us alone: when it is there, everything answers. */
export async function writeReadyFile(dataDir: string, content: ReadyFile): Promise<void> {
  await writeOwnerOnly(join(dataDir, 'ready.json'), content)
}

/** At the start and at the end, so that nobody trusts the file of an earlier process. */
export async function removeReadyFile(dataDir: string): Promise<void> {
  await rm(join(dataDir, 'ready.json'), { force: true })
}
