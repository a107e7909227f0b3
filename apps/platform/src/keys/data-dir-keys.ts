import { randomBytes } from 'node:crypto'
import { writeFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { keyBytes, type MasterKeySettings } from '@flamegate/auth'
import { readIfThere } from '../owner-only-file.ts'

/** Where the master keys of a data directory are, when nobody says that they are elsewhere: one a line, the one in use first. */
export function keyFileIn(dataDir: string): string {
  return join(dataDir, 'master-keys')
}

/** The settings of what runs on a data directory. Its file is made on the first start. */
export async function masterKeysOfDataDir<
  Settings extends MasterKeySettings & { FLAMEGATE_DATA_DIR: string },
>(settings: Settings): Promise<Settings> {
  if (settings.FLAMEGATE_MASTER_KEY_FILE !== undefined) return settings
  const path = keyFileIn(settings.FLAMEGATE_DATA_DIR)
  const isThere = (await readIfThere(path)) !== undefined
  if (!isThere && settings.FLAMEGATE_KEY_PROVIDER !== 'file') return settings
  if (!isThere) await addMasterKeys(path, newMasterKey())
  return { ...settings, FLAMEGATE_MASTER_KEY_FILE: path }
}

/** Puts keys in front of those that are there, or behind them; none twice. */
export async function addMasterKeys(
  path: string,
  keys: string,
  where: 'first' | 'last' = 'first',
): Promise<void> {
  const before = (await readIfThere(path)) ?? ''
  const all = where === 'first' ? `${keys}\n${before}` : `${before}\n${keys}`
  const lines = [...new Set(all.split(/[\s,]+/).filter((key) => key !== ''))]
  const draft = `${path}.${process.pid}.new`
  await writeFile(draft, `${lines.join('\n')}\n`, { mode: 0o600, flush: true })
  await rename(draft, path)
}

export function newMasterKey(): string {
  return randomBytes(keyBytes).toString('base64')
}
