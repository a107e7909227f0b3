import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** The files in a folder whose names end so, with content, the largest first. */
export async function writtenFiles(folder: string, ending: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending))
  const sized = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name)
      return { path, sizeBytes: (await stat(path)).size }
    }),
  )
  return sized
    .filter(({ sizeBytes }) => sizeBytes > 0)
    .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
    .map(({ path }) => path)
}
