import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openSnapshot, RowDigest, type Snapshot } from '@flamegate/db'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { BackupFolder, type Manifest, type ObjectEntry } from './backup-files.ts'
import { hashed } from './hashed.ts'
import { inParallel } from './in-parallel.ts'

export interface BackupSource {
  ownerUrl: string
  storage: ObjectStorage
  /** Of `npm start`. */
  demoFile?: string | undefined
  /** Of master keys. */
  keyFile?: string | undefined
}

/**
 * Writes a backup of database and files as they were at one moment, while everything goes on.
 *
 * Files never change once they are stored, but they are removed. So they are copied twice: all that are there first, which takes its
 * time, then, when the moment has been chosen, the few that came since. A file of that moment is missing only if it was both stored
 * and removed in between.
 */
export async function writeBackup(
  source: BackupSource,
  dir: string,
  say: (line: string) => void,
): Promise<Manifest> {
  const folder = new BackupFolder(dir)
  await folder.create()
  const copied = new Map<string, ObjectEntry>()
  const copyObjects = async (snapshot: Snapshot): Promise<Set<string>> => {
    const keys = new Set<string>()
    await inParallel(snapshot.storageKeys(), async (key) => {
      keys.add(key)
      if (copied.has(key)) return
      const entry = await copyObject(source.storage, key, folder)
      if (entry !== undefined) copied.set(key, entry)
    })
    return keys
  }

  const before = await openSnapshot(source.ownerUrl)
  try {
    await copyObjects(before)
  } finally {
    await before.close()
  }
  say(`${copied.size} files copied.`)

  const snapshot = await openSnapshot(source.ownerUrl)
  const createdAt = new Date().toISOString()
  try {
    const keys = await copyObjects(snapshot)
    for (const key of copied.keys()) {
      if (keys.has(key)) continue
      await rm(folder.objectPath(key))
      copied.delete(key)
    }
    const lacking = new Set<string>()
    for await (const key of storedKeys(snapshot)) if (!copied.has(key)) lacking.add(key)
    const tables: Manifest['tables'] = []
    for (const table of snapshot.tables) {
      const digest = new RowDigest()
      await folder.writeTable(table.name, summed(snapshot.rows(table), digest))
      tables.push({ name: table.name, columns: [...table.columns], ...digest.sum() })
    }
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    say(`${rows} rows of ${tables.length} tables written.`)
    const lost = await stillStored(source.ownerUrl, lacking)
    // They came in any order; of the same files it is the same list.
    const entries = [...copied.values()].toSorted((one, other) => (one.key < other.key ? -1 : 1))
    const list = entries.map((entry) => `${JSON.stringify(entry)}\n`).join('')
    await writeFile(folder.objectListPath, list, { mode: 0o600 })
    if (source.demoFile !== undefined) await copyFile(source.demoFile, folder.demoPath)
    if (source.keyFile !== undefined) await copyFile(source.keyFile, folder.masterKeysPath)
    const manifest: Manifest = {
      format: 1,
      createdAt,
      migrations: [...snapshot.migrations],
      tables,
      masterKeys: [...snapshot.masterKeys],
      objects: {
        count: copied.size,
        sizeBytes: [...copied.values()].reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
        missing: keys.size - copied.size - lost,
        lost,
        sha256: createHash('sha256').update(list).digest('hex'),
      },
    }
    await folder.writeManifest(manifest)
    return manifest
  } finally {
    await snapshot.close()
  }
}

async function copyObject(
  storage: ObjectStorage,
  key: string,
  folder: BackupFolder,
): Promise<ObjectEntry | undefined> {
  const body = await storage.open(key)
  if (body === undefined) return undefined
  const path = folder.objectPath(key)
  await mkdir(dirname(path), { recursive: true })
  const passing = hashed(body)
  await pipeline(passing.body, createWriteStream(path, { mode: 0o600, flush: true }))
  return { key, ...passing.sums() }
}

/** How many of them the database has now: the others were removed meanwhile, bytes first. */
async function stillStored(ownerUrl: string, keys: ReadonlySet<string>): Promise<number> {
  if (keys.size === 0) return 0
  const after = await openSnapshot(ownerUrl)
  try {
    let count = 0
    for await (const key of storedKeys(after)) if (keys.has(key)) count += 1
    return count
  } finally {
    await after.close()
  }
}

/** Keys of the files whose bytes had come, as the database has it. */
async function* storedKeys(snapshot: Snapshot): AsyncGenerator<string> {
  const rows = snapshot.rows({ name: 'files', columns: ['storage_key', 'status'] })
  for await (const line of createInterface({ input: Readable.from(rows) })) {
    const [key, status] = line.split('\t')
    if (key !== undefined && status === 'READY') yield key
  }
}

async function* summed(rows: AsyncIterable<Buffer>, digest: RowDigest): AsyncGenerator<Buffer> {
  for await (const piece of rows) {
    digest.add(piece)
    yield piece
  }
}
