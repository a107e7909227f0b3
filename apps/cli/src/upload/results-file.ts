import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeArchive } from './tar.ts'
import { openFile, type UploadFile } from './upload-file.ts'

/** A file of results with the name that it has among the others. */
export interface ResultsFile {
  file: UploadFile
  /** In an archive. */
  name: string
}

/**
 * Gives `use` the one file that holds all results: the file itself, or a tar.gz of several, which is gone afterwards.
 * The reader knows both, and whole folders as tools write them.
 */
export async function withResultsFile<T>(
  files: readonly ResultsFile[],
  use: (file: UploadFile) => Promise<T>,
): Promise<T> {
  const [first] = files
  if (files.length === 1 && first !== undefined) return use(first.file)
  const folder = await mkdtemp(join(tmpdir(), 'flamegate-upload-'))
  try {
    const path = join(folder, 'results.tar.gz')
    const entries = files.flatMap(({ name, file: { path: from, sizeBytes } }) =>
      from === undefined ? [] : [{ name, path: from, sizeBytes }],
    )
    await writeArchive(path, entries)
    return await use(await openFile(path, 'results.tar.gz'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
