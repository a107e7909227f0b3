import { createWriteStream } from 'node:fs'
import { open } from 'node:fs/promises'
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
 * @throws ConfigError when there is no such workspace
 */
export async function writeWorkspaceArchive(
  installation: Installation,
  workspaceId: string,
  path: string,
  say: (line: string) => void,
): Promise<void> {
  try {
    const { workspace } = await exportWorkspace(installation, workspaceId, (archive) =>
      pipeline(archive, createGzip(), createWriteStream(path, { flags: 'wx', mode: 0o600 })),
    )
    say(`${path} has everything of ${workspace.name}.`)
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError(error.message, { cause: error })
    throw error
  }
}

/**
 * Makes a new workspace of such a file, of whoever has that e-mail address.
 * @throws ConfigError when nobody has it, or there is no such file; ArchiveError
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
    const file = await open(path).catch((cause: unknown) => {
      throw new ConfigError(`${path} cannot be read.`, { cause })
    })
    const archive = file.createReadStream().pipe(createGunzip())
    const made = await importWorkspace(installation, archive, owner.id)
    say(
      `${made.name} is made as ${made.workspaceId}: ${made.rows} rows, ${made.files} files. ${ownerEmail} owns it.`,
    )
    const left = [...made.leftOut].map(([table, rows]) => `${table} (${rows})`).toSorted()
    if (left.length > 0) say(`To be set up anew, and left out: ${left.join(', ')}.`)
  } finally {
    await stores.close()
  }
}
