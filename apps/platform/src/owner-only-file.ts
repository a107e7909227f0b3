import { readFile, rename, writeFile } from 'node:fs/promises'

/** Writes JSON that only we may read, in one step: whoever looks sees the old file or the whole new one. */
export async function writeOwnerOnly(path: string, content: unknown): Promise<void> {
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flag: 'w' })
  await rename(draft, path)
}

/** The text, or undefined when there is no such file. */
export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
