// What whoever runs an installation does now and then: backup, verify, restore, change keys, sweep. `flamegate admin` runs it.
import { randomBytes } from 'node:crypto'
import { copyFile, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { openMasterKeys, type OpenMasterKeys } from '@flamegate/auth'
import { bootstrapRoles, openDatabase, roleUrl, statusStore, type Database } from '@flamegate/db'
import {
  ConfigError,
  createLogger,
  masterKeySettings,
  readConfig,
  retentionSettings,
  storageSettings,
} from '@flamegate/runtime'
import { openStorage } from '@flamegate/storage'
import { z } from 'zod'
import { readArguments } from './admin-arguments.ts'
import { BackupFolder, type Manifest } from './backup/backup-files.ts'
import { restoreBackup } from './backup/restore-backup.ts'
import { verifyBackup } from './backup/verify-backup.ts'
import { writeBackup } from './backup/write-backup.ts'
import { startPlatformPostgres } from './embedded-postgres.ts'
import { changeIncidents } from './incidents.ts'
import { acquireInstanceLock, AlreadyRunning } from './instance-lock.ts'
import { addMasterKeys, keyFileIn, masterKeysOfDataDir, newMasterKey } from './keys/data-dir-keys.ts'
import { keyKinds, rotateKeys } from './keys/rotate-keys.ts'
import { readIfThere } from './owner-only-file.ts'
import { platformConfig } from './platform-config.ts'
import { loadSecrets } from './secrets.ts'
import { urlInDataDir } from './url-in-data-dir.ts'
import { wordsForOperator } from './words-for-operator.ts'
import { readWorkspaceArchive, writeWorkspaceArchive } from './workspace-archives.ts'

const help = `flamegate admin backup <folder>              Write all of the installation into a new folder, while it runs.
flamegate admin verify <folder>              Read a backup, and hold it against its own sums.
flamegate admin restore <folder> [--replace] Make the installation what it was then. It has to be stopped. With
                                             --replace, one that has accounts already is lost.
flamegate admin rotate-keys [--only master|data|signing]
                                             Change keys, while it runs: the master key that wraps all others, the
                                             data keys that secrets are sealed with, the keys that sign.
flamegate admin sweep [--dry-run]            Remove what is older than its workspace's plan keeps it or past its own time,
                                             months of the audit log that no plan keeps any more, and files in storage
                                             that the database does not know, while it runs. With --dry-run, only tell
                                             how much that is. FLAMEGATE_BENCH_RESULT_DAYS and FLAMEGATE_LIVE_HOURS
                                             count as they do for workers.

flamegate admin export-workspace <id> <file> Write everything of one workspace into a new file, a tar.gz, while it runs.
flamegate admin import-workspace <file> --owner <e-mail>
                                             Make a new workspace of such a file, here or in another installation.

flamegate admin incident list | open <part> <title> [<words>] | update <id> <words> | close <id> [<words>]
                                             What the status page says of what does not work.

A backup of a data directory has its master keys, too; --without-keys leaves them out, to be kept elsewhere.

The installation is that of FLAMEGATE_DATA_DIR (.flamegate when left out), which \`npm start\` runs. One of several
processes is told by FLAMEGATE_DATABASE_OWNER_URL, its database as flamegate_owner, and by where its files are: S3_BUCKET
with the settings that belong to it, or FLAMEGATE_STORAGE_DIR. sweep, incident and the two for workspaces need
FLAMEGATE_DATABASE_APP_URL and FLAMEGATE_DATABASE_AUTH_URL there, too.
`

const settings = z.object({
  FLAMEGATE_DATABASE_OWNER_URL: roleSetting('flamegate_owner'),
  FLAMEGATE_DATABASE_APP_URL: roleSetting('flamegate_app'),
  FLAMEGATE_DATABASE_AUTH_URL: roleSetting('flamegate_auth'),
  FLAMEGATE_DATA_DIR: platformConfig.shape.FLAMEGATE_DATA_DIR,
  DATABASE_URL: platformConfig.shape.DATABASE_URL,
  ...storageSettings,
  ...retentionSettings,
  ...masterKeySettings,
  // Of a data directory it is the file there, and else that there is none.
  FLAMEGATE_KEY_PROVIDER: masterKeySettings.FLAMEGATE_KEY_PROVIDER.unwrap().optional(),
})
type Settings = z.output<typeof settings>

try {
  await run(process.argv.slice(2))
} catch (error) {
  // What parseArgs throws for an option that is not there.
  const isUsage = error instanceof TypeError && 'code' in error
  const words = isUsage ? error.message : wordsForOperator(error)
  if (words === undefined) throw error
  process.stderr.write(`${words}\n`)
  process.exitCode = 2
}

async function run(args: string[]): Promise<void> {
  const { command, words, values } = readArguments(args)
  const [folder] = words
  if (values.help === true || command === undefined) return void process.stdout.write(help)
  if (command === 'rotate-keys') return changeKeys(readConfig(settings, process.env), values.only)
  if (command === 'incident') return incident(readConfig(settings, process.env), words)
  if (command === 'sweep') return sweep(readConfig(settings, process.env), values['dry-run'] === true)
  if (command === 'export-workspace' || command === 'import-workspace') {
    return moveWorkspace(readConfig(settings, process.env), [command, ...words], values.owner)
  }
  if (folder === undefined) throw new ConfigError(`Name one folder.\n\n${help}`)
  const dir = resolve(folder)
  if (command === 'verify') return verify(dir)
  const config = readConfig(settings, process.env)
  if (command === 'backup') return backup(config, dir, values['without-keys'] === true)
  if (command === 'restore') return restore(config, dir, values.replace === true)
  throw new ConfigError(`There is no ${command}.\n\n${help}`)
}

async function backup(config: Settings, dir: string, isWithoutKeys: boolean): Promise<void> {
  const demoFile = join(config.FLAMEGATE_DATA_DIR, 'demo.json')
  const keyFile = keyFileIn(config.FLAMEGATE_DATA_DIR)
  const isOwn = config.FLAMEGATE_DATABASE_OWNER_URL === undefined
  const from = async (ownerUrl: string) => {
    const storage = await storageOf(config)
    const source = {
      ownerUrl,
      storage,
      demoFile: isOwn && (await isThere(demoFile)) ? demoFile : undefined,
      keyFile: isOwn && !isWithoutKeys && (await isThere(keyFile)) ? keyFile : undefined,
    }
    const manifest = await writeBackup(source, dir, say)
    const lost = manifest.objects.lost ?? 0
    say(
      `${dir} has everything${lost === 0 ? '' : ' but files'} as of ${manifest.createdAt}. Keep it as secret as the database.`,
    )
    if (lost > 0) {
      say(
        `${lost} files that the database has as stored are not in the storage, and not in this backup. Is it the storage of this installation? Set S3_BUCKET or FLAMEGATE_STORAGE_DIR as its processes have it, and take another backup.`,
      )
      process.exitCode = 1
    }
    if (source.keyFile === undefined && (manifest.masterKeys?.length ?? 0) > 0)
      say(
        `It has not the master keys that a restore needs (${manifest.masterKeys?.join(', ')}): keep them, too.`,
      )
  }
  await withDatabase(config, from)
}

async function changeKeys(config: Settings, only: string | undefined): Promise<void> {
  const kinds = keyKinds.filter((kind) => only === undefined || only === kind)
  if (kinds.length === 0) throw new ConfigError(`--only is one of ${keyKinds.join(', ')}.`)
  await withDatabase(config, async (ownerUrl) => {
    const isOwn = config.FLAMEGATE_DATABASE_OWNER_URL === undefined
    const { masterKeys, keyFile } = await masterKeysOf(config)
    if (isOwn && keyFile !== undefined && kinds.includes('master')) {
      await addMasterKeys(keyFile, newMasterKey())
      say(`There is a new master key in ${keyFile}.`)
    }
    await rotateKeys(ownerUrl, masterKeys, kinds, say)
  })
}

async function incident(config: Settings, words: readonly string[]): Promise<void> {
  await withRows(config, (database) => changeIncidents(statusStore(database), words, say))
}

async function sweep(config: Settings, isDry: boolean): Promise<void> {
  // Of all that an operator does this alone needs the operations, which take longer to load than most of it takes.
  const { sweepInstallation } = await import('./sweep.ts')
  await withRows(config, async (database, ownerUrl) =>
    sweepInstallation({ database, ownerUrl, storage: await storageOf(config) }, { isDry, say, kept: config }),
  )
}

async function moveWorkspace(
  config: Settings,
  [command, first, second]: readonly string[],
  owner: string | undefined,
): Promise<void> {
  const isExport = command === 'export-workspace'
  if (first === undefined || (isExport ? second === undefined : owner === undefined)) {
    throw new ConfigError(
      `${isExport ? 'Name a workspace and a file' : 'Name a file and its --owner'}.\n\n${help}`,
    )
  }
  await withRows(config, async (database) => {
    const installation = { database, storage: await storageOf(config) }
    if (isExport) await writeWorkspaceArchive(installation, first, resolve(second ?? ''), say)
    else await readWorkspaceArchive(installation, resolve(first), owner ?? '', say)
  })
}

/** Opens the database as those do who work in it, beside its owner's. */
async function withRows(
  config: Settings,
  use: (database: Database, ownerUrl: string) => Promise<void>,
): Promise<void> {
  await withDatabase(config, async (ownerUrl) => {
    const urls = await roleUrlsOf(config, ownerUrl)
    const log = createLogger({ level: 'warn', format: 'text' })
    const database = openDatabase({ ...urls, poolSize: 2, log })
    try {
      await use(database, ownerUrl)
    } finally {
      await database.close()
    }
  })
}

/** The same database as those who work in it; of a data directory it has their passwords. */
async function roleUrlsOf(config: Settings, ownerUrl: string): Promise<{ appUrl: string; authUrl: string }> {
  const { FLAMEGATE_DATABASE_APP_URL: appUrl, FLAMEGATE_DATABASE_AUTH_URL: authUrl } = config
  if (config.FLAMEGATE_DATABASE_OWNER_URL === undefined) {
    const { databasePasswords } = await loadSecrets(resolve(config.FLAMEGATE_DATA_DIR))
    return {
      appUrl: roleUrl(ownerUrl, 'app', databasePasswords.app),
      authUrl: roleUrl(ownerUrl, 'auth', databasePasswords.auth),
    }
  }
  if (appUrl === undefined || authUrl === undefined)
    throw new ConfigError('This needs FLAMEGATE_DATABASE_APP_URL and FLAMEGATE_DATABASE_AUTH_URL, too.')
  return { appUrl, authUrl }
}

/** @returns keyFile The one of the data directory, when that has the master key in use. */
async function masterKeysOf(config: Settings): Promise<{ masterKeys: OpenMasterKeys; keyFile?: string }> {
  const isOwn = config.FLAMEGATE_DATABASE_OWNER_URL === undefined
  const FLAMEGATE_KEY_PROVIDER = config.FLAMEGATE_KEY_PROVIDER ?? (isOwn ? 'file' : 'database')
  const chosen = { ...config, FLAMEGATE_KEY_PROVIDER }
  const isInDataDir =
    isOwn && FLAMEGATE_KEY_PROVIDER === 'file' && config.FLAMEGATE_MASTER_KEY_FILE === undefined
  return {
    masterKeys: await openMasterKeys(isOwn ? await masterKeysOfDataDir(chosen) : chosen),
    ...(isInDataDir ? { keyFile: keyFileIn(config.FLAMEGATE_DATA_DIR) } : {}),
  }
}

async function verify(dir: string): Promise<void> {
  const { manifest, faults } = await verifyBackup(dir)
  for (const fault of faults) say(fault)
  say(faults.length === 0 ? `Whole: ${contentOf(manifest)}.` : `${faults.length} faults.`)
  if (faults.length > 0) process.exitCode = 1
}

async function restore(config: Settings, dir: string, replaces: boolean): Promise<void> {
  const isOwn = config.FLAMEGATE_DATABASE_OWNER_URL === undefined
  const { demoPath, masterKeysPath } = new BackupFolder(dir)
  const keysInBackup = isOwn ? await readIfThere(masterKeysPath) : undefined
  const into = async (ownerUrl: string) => {
    const masterKeys = await masterKeysForRestore(config, keysInBackup)
    const target = { ownerUrl, storage: await storageOf(config), masterKeys }
    const { manifest, applied } = await restoreBackup(dir, target, { replaces, say })
    if (keysInBackup !== undefined)
      await addMasterKeys(keyFileIn(config.FLAMEGATE_DATA_DIR), keysInBackup, 'last')
    if (applied.length > 0) say(`Brought up to date: ${applied.join(', ')}.`)
    say(`Restored as of ${manifest.createdAt}: ${contentOf(manifest)}.`)
  }
  if (config.FLAMEGATE_DATABASE_OWNER_URL !== undefined) return into(config.FLAMEGATE_DATABASE_OWNER_URL)
  await withOwnDatabase(config, into)
  if (await isThere(demoPath)) await copyFile(demoPath, join(config.FLAMEGATE_DATA_DIR, 'demo.json'))
}

/** All that are set, in the data directory, or in the backup. */
async function masterKeysForRestore(
  config: Settings,
  keysInBackup: string | undefined,
): Promise<OpenMasterKeys> {
  const given = [config.FLAMEGATE_MASTER_KEYS, keysInBackup].filter((keys) => keys !== undefined)
  const inDataDir = keyFileIn(config.FLAMEGATE_DATA_DIR)
  const hasOwn = config.FLAMEGATE_DATABASE_OWNER_URL === undefined && (await isThere(inDataDir))
  return openMasterKeys({
    ...config,
    // Nothing is wrapped here.
    FLAMEGATE_KEY_PROVIDER: 'database',
    FLAMEGATE_MASTER_KEYS: given.length === 0 ? undefined : given.join('\n'),
    FLAMEGATE_MASTER_KEY_FILE: config.FLAMEGATE_MASTER_KEY_FILE ?? (hasOwn ? inDataDir : undefined),
  })
}

/** The database that the settings say, or that of the data directory, whether it runs or not. */
async function withDatabase(config: Settings, work: (ownerUrl: string) => Promise<void>): Promise<void> {
  if (config.FLAMEGATE_DATABASE_OWNER_URL !== undefined) return work(config.FLAMEGATE_DATABASE_OWNER_URL)
  const runningUrl = await urlInDataDir(config, 'owner', 'FLAMEGATE_DATABASE_OWNER_URL')
  try {
    await withOwnDatabase(config, work)
  } catch (error) {
    if (!(error instanceof AlreadyRunning)) throw error
    await work(runningUrl)
  }
}

/** The database of a data folder in which nothing runs. */
async function withOwnDatabase(config: Settings, work: (ownerUrl: string) => Promise<void>): Promise<void> {
  const dataDir = resolve(config.FLAMEGATE_DATA_DIR)
  const lock = await acquireInstanceLock(dataDir)
  try {
    const log = createLogger({ level: 'warn', format: 'text' })
    const server = config.DATABASE_URL === undefined ? await startPlatformPostgres(dataDir, log) : undefined
    try {
      const adminUrl = config.DATABASE_URL ?? server?.url('postgres') ?? ''
      const { databasePasswords } = await loadSecrets(dataDir)
      await bootstrapRoles(adminUrl, databasePasswords)
      await work(roleUrl(adminUrl, 'owner', databasePasswords.owner))
    } finally {
      await server?.stop()
    }
  } finally {
    await lock.release()
  }
}

async function storageOf(config: Settings) {
  const dir =
    config.FLAMEGATE_STORAGE_DIR ??
    (config.FLAMEGATE_DATABASE_OWNER_URL === undefined
      ? join(config.FLAMEGATE_DATA_DIR, 'objects')
      : undefined)
  // Nobody gets a link from here.
  const links = { baseUrl: 'http://localhost', signingKey: randomBytes(32).toString('hex') }
  return (await openStorage({ ...config, FLAMEGATE_STORAGE_DIR: dir }, links)).storage
}

function contentOf({ tables, objects }: Manifest): string {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0)
  const lost = objects.lost ?? 0
  return (
    `${rows} rows in ${tables.length} tables, ${objects.count} files of ${objects.sizeBytes} bytes` +
    (lost === 0 ? '' : `; ${lost} files more were not in the storage when it was taken`)
  )
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

function roleSetting(role: string) {
  return z
    .url({ protocol: /^postgres(ql)?$/, hostname: /.*/ })
    .optional()
    .describe(`Flamegate’s database as ${role}; the one of FLAMEGATE_DATA_DIR when left out.`)
    .meta({ secret: true, kind: 'a postgres:// URL' })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
