import { copyFile, mkdir, stat } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/**
 * Copies the files of a capture to where somebody wants them: one file under that name, or several, or those of many
 * captures, into that folder.
 *
 * @param mark put before the names, where captures follow each other
 * @returns where they are
 */
export async function keepCaptured(
  files: readonly string[],
  { cwd, output, mark }: { cwd: string; output: string; mark: string | undefined },
): Promise<string[]> {
  const target = resolve(cwd, output)
  const isFolder =
    mark !== undefined ||
    files.length > 1 ||
    output.endsWith('/') ||
    (await stat(target).catch(() => undefined))?.isDirectory() === true
  const prefix = mark === undefined ? '' : `${mark}-`
  const kept = files.map((file) => ({
    from: file,
    to: isFolder ? join(target, prefix + basename(file)) : target,
  }))
  await mkdir(isFolder ? target : dirname(target), { recursive: true })
  await Promise.all(kept.map(({ from, to }) => copyFile(from, to)))
  return kept.map(({ to }) => to)
}
