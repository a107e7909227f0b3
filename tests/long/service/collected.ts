import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { waitFor } from '../load-faults/load-fleet.ts'
import { memoryOf, type Collected } from './memory.ts'

const answerSchema = z.object({ liveBytes: z.number() })
const mebibyte = 1024 * 1024

/** Settings by which a process of ours tells that, into a folder that is there; with what else Node.js is told. */
export function collectingSettings(folder: string, nodeOptions: string): Record<string, string> {
  return {
    NODE_OPTIONS: `${nodeOptions} --import=${join(import.meta.dirname, 'collect-on-signal.ts')}`,
    COLLECTED_FOLDER: folder,
  }
}

/** Has them collect, one after the other, by name and process id. */
export async function collect(
  folder: string,
  pids: Readonly<Record<string, number>>,
): Promise<Map<string, Collected>> {
  const all = new Map<string, Collected>()
  for (const [name, pid] of Object.entries(pids)) {
    const file = join(folder, `${pid}.json`)
    rmSync(file, { force: true })
    process.kill(pid, 'SIGUSR2')
    await waitFor(`what is left of ${name}`, 30_000, async () => existsSync(file) || undefined)
    const { liveBytes } = answerSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
    all.set(name, { liveMib: liveBytes / mebibyte, residentMib: memoryOf(pid) ?? 0 })
  }
  return all
}
