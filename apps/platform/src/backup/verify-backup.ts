import { createReadStream } from 'node:fs'
import { RowDigest } from '@flamegate/db'
import { BackupFolder, type Manifest } from './backup-files.ts'
import { hashed } from './hashed.ts'

/** What was found. */
export interface Verification {
  manifest: Manifest
  /** What is not as it was written; empty when the backup is whole. */
  faults: string[]
}

/**
 * Reads all of a backup, and holds it against its own sums.
 * @throws ConfigError when there is no manifest
 */
export async function verifyBackup(dir: string): Promise<Verification> {
  const folder = new BackupFolder(dir)
  const manifest = await folder.readManifest()
  const faults: string[] = []
  for (const table of manifest.tables) {
    const fault = await tableFault(folder, table)
    if (fault !== undefined) faults.push(`Table ${table.name}: ${fault}.`)
  }
  const list = await fileFault(folder.objectListPath, { sha256: manifest.objects.sha256 })
  if (list !== undefined) return { manifest, faults: [...faults, `objects.jsonl: ${list}.`] }
  for await (const entry of folder.objects()) {
    const fault = await fileFault(folder.objectPath(entry.key), entry)
    if (fault !== undefined) faults.push(`File ${entry.key}: ${fault}.`)
  }
  return { manifest, faults }
}

async function tableFault(
  folder: BackupFolder,
  { name, rows, digest }: Manifest['tables'][number],
): Promise<string | undefined> {
  const found = new RowDigest()
  try {
    for await (const piece of folder.tableRows(name)) found.add(piece)
  } catch (error) {
    return reasonOf(error)
  }
  const sum = found.sum()
  if (sum.rows !== rows) return `${sum.rows} rows of ${rows}`
  return sum.digest === digest ? undefined : 'the rows are not those that were written'
}

async function fileFault(
  path: string,
  { sha256, sizeBytes }: { sha256: string; sizeBytes?: number },
): Promise<string | undefined> {
  const passing = hashed(createReadStream(path))
  try {
    // oxlint-disable-next-line no-unused-vars -- only what comes by counts
    for await (const _ of passing.body);
  } catch (error) {
    return reasonOf(error)
  }
  const sums = passing.sums()
  if (sizeBytes !== undefined && sums.sizeBytes !== sizeBytes)
    return `${sums.sizeBytes} bytes of ${sizeBytes}`
  return sums.sha256 === sha256 ? undefined : 'the bytes are not those that were written'
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
