import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { createStores, exportWorkspace, importWorkspace, type Database } from '@flamegate/db'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { ConfigError } from '@flamegate/runtime'

interface Installation {
  database: Database
  storage: ObjectStorage
}

/**
 * Writes everything of a workspace into a file that is not there yet.
 * @throws ConfigError when there is no such workspace, or the file is there already or cannot be made
 */
export async function writeWorkspaceArchive(
  installation: Installation,
  workspaceId: string,
  path: string,
  say: (line: string) => void,
): Promise<void> {
  try {
    const { workspace } = await exportWorkspace(installation, workspaceId, (archive) =>
      writeNew(path, archive),
    )
    say(`${path} has everything of ${workspace.name}.`)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(error.message, { cause: error })
    throw error
  }
}

/**
 * Makes a new workspace of such a file, of whoever has that e-mail address.
 * @throws ConfigError when nobody has it, or the file cannot be read or unpacked; ArchiveError
 */
export async function readWorkspaceArchive(
  installation: Installation,
  path: string,
  ownerEmail: string,
  say: (line: string) => void,
): Promise<void> {
  const stores = createStores(installation.database)
  try {
    const owner = await stores.identity.findUserByEmail(ownerEmail.toLowerCase())
    if (owner === undefined) throw new ConfigError(`There is no account with the address ${ownerEmail}.`)
    const made = await importWorkspace(installation, unpacked(path), owner.id)
    say(
      `${made.name} is made as ${made.workspaceId}: ${made.rows} rows, ${made.files} files. ${ownerEmail} owns it.`,
    )
    const left = [...made.leftOut].map(([table, rows]) => `${table} (${rows})`).toSorted()
    if (left.length > 0) say(`To be set up anew, and left out: ${left.join(', ')}.`)
  } finally {
    await stores.close()
  }
}

/** Half an archive is not left there: nobody would see that it is one. */
async function writeNew(path: string, archive: AsyncIterable<Uint8Array>): Promise<void> {
  const file = await open(path, 'wx', 0o600).catch((cause: unknown) => {
    throw new ConfigError(`${path} cannot be made: ${reasonOf(cause)}`, { cause })
  })
  try {
    await pipeline(archive, createGzip(), file.createWriteStream())
  } catch (error) {
    await rm(path, { force: true })
    throw error
  }
}

async function* unpacked(path: string): AsyncGenerator<Uint8Array> {
  const bytes = createGunzip()
  const reading = pipeline(createReadStream(path), bytes)
  // Its failure is told by whoever reads the stream, too.
  reading.catch(() => undefined)
  try {
    for await (const piece of bytes) if (Buffer.isBuffer(piece)) yield piece
  } catch (cause) {
    throw new ConfigError(`${path} cannot be read as an archive of a workspace: ${reasonOf(cause)}`, {
      cause,
    })
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
