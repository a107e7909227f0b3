import { stat } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { openFiles, type FileToUpload } from '../upload/upload-all.ts'
import { filesOfFolder, findFiles } from '../upload/find-files.ts'
import { bytesFile, openFile } from '../upload/upload-file.ts'
import { UsageError } from '../usage-error.ts'

/** Clocks of file systems may be behind by so much. */
const clockMs = 2_000

/**
 * What a command left behind: files that were asked for, else what its harness wrote, else what it printed. Only what
 * is new counts, so that results of an earlier run are not taken for those of this one.
 *
 * @throws UsageError when there is nothing
 */
export async function collectResults(options: {
  cwd: string
  startedAtMs: number
  /** Names and patterns of files and folders that somebody asked for. */
  asked: readonly string[]
  /** Files that harnesses write when they are told to. */
  expected: readonly string[]
  /** The folder that CodSpeed's integrations write to. */
  profileFolder: string | undefined
  stdout: Buffer
  /** Times of the files that earlier processes wrote and this one may have left alone, by path; it adds its own. */
  taken: Map<string, number>
}): Promise<FileToUpload[]> {
  const { cwd, startedAtMs, taken } = options
  const isNew = async (path: string) => {
    const facts = await stat(path).catch(() => undefined)
    if (facts === undefined || facts.size === 0 || facts.mtimeMs < startedAtMs - clockMs) return false
    if (taken.get(path) === facts.mtimeMs) return false
    taken.set(path, facts.mtimeMs)
    return true
  }

  if (options.asked.length > 0) {
    const found = await findFiles(cwd, options.asked)
    const fresh = await Promise.all(found.map(({ path }) => isNew(path)))
    if (!fresh.includes(true)) {
      throw new UsageError(`${options.asked.join(', ')}: The command wrote none of these files.`)
    }
    const opened = await openFiles(found, undefined)
    return opened.filter((_, index) => fresh[index])
  }

  if (options.profileFolder !== undefined) {
    const found = await filesOfFolder(resolve(cwd, options.profileFolder))
    const fresh = await Promise.all(found.map(({ path }) => isNew(path)))
    const written = found.filter((_, index) => fresh[index])
    if (written.length > 0) return openFiles(written, false)
  }

  const written: FileToUpload[] = []
  for (const name of options.expected) {
    const path = resolve(cwd, name)
    if (!(await isNew(path))) continue
    written.push({ file: await openFile(path, name), name: basename(path), kind: 'results' })
  }
  if (written.length > 0) return written

  if (options.stdout.toString().trim() === '') {
    throw new UsageError(
      'The command printed nothing and wrote no results that were found: name them with --results.',
    )
  }
  return [{ file: bytesFile('stdout', options.stdout), name: 'stdout', kind: 'results' }]
}
