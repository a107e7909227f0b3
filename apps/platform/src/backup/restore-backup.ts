import type { OpenMasterKeys } from '@flamegate/auth'
import { checkRestore, restoreDatabase } from '@flamegate/db'
import type { ObjectStorage } from '@flamegate/operations/ports'
import { ConfigError } from '@flamegate/runtime'
import { BackupFolder, type Manifest } from './backup-files.ts'
import { inParallel } from './in-parallel.ts'
import { putBack } from './put-back.ts'
import { verifyBackup } from './verify-backup.ts'

/**
 * Makes an installation what it was when the backup was taken. Nothing is touched before all of the backup was read and found whole, and the
 * database lets itself be restored;
 * files come first, because nobody asks for them while no row names them.
 * @returns What the backup said, and the migrations that were applied after it.
 * @throws ConfigError when the backup is not whole, or its keys would not open; RestoreError when the database is in use, or not empty and not to be replaced.
 */
export async function restoreBackup(
  dir: string,
  target: { ownerUrl: string; storage: ObjectStorage; masterKeys: Pick<OpenMasterKeys, 'knows'> },
  options: { replaces: boolean; say: (line: string) => void },
): Promise<{ manifest: Manifest; applied: string[] }> {
  const { manifest, faults } = await verifyBackup(dir)
  if (faults.length > 0) {
    throw new ConfigError(`The backup is not whole, and nothing was restored:\n  ${faults.join('\n  ')}`)
  }
  const unknown = manifest.masterKeys?.filter((name) => !target.masterKeys.knows(name)) ?? []
  if (unknown.length > 0) {
    throw new ConfigError(
      `The keys in the backup do not open without the master key ${unknown.join(' and ')}, and nothing was restored. ` +
        'Put the file master-keys of that installation into the backup or the data directory, or say where the key is: see FLAMEGATE_KEY_PROVIDER.',
    )
  }
  const { migrations, tables } = manifest
  await checkRestore(target.ownerUrl, { migrations }, options)
  const folder = new BackupFolder(dir)
  await inParallel(folder.objects(), (entry) => putBack(target.storage, entry, folder.objectPath(entry.key)))
  options.say(`${manifest.objects.count} files stored.`)
  const rows = (table: { name: string }) => folder.tableRows(table.name)
  const applied = await restoreDatabase(target.ownerUrl, { migrations, tables, rows }, options)
  return { manifest, applied }
}
