import { execFileSync } from 'node:child_process'
import { constants } from 'node:fs'
import { appendFile, chown, cp, mkdir, open, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { openDatabase } from '@flamegate/db'
import {
  startEmbeddedPostgres,
  type EmbeddedPostgres,
} from '../../../packages/embedded-postgres/src/index.ts'

const password = 'postgres'
/** As a small server of one's own would have it: what is acknowledged is on the disk. */
const settings = { max_connections: '250', max_wal_size: '128MB', min_wal_size: '32MB' }
const diskBytes = 1_500 * 2 ** 20

/** PostgreSQL, with a standby and a disk of its own where that is asked for. */
export interface Database {
  readonly port: number
  readonly pid: number
  /** As superuser, at the server itself. */
  url(database: string): string
  restart(awayMs: number): Promise<void>
  /** Leaves no room on its disk for that long. */
  fillDisk(forMs: number): Promise<void>
  /** Kills the primary and has the standby take its place. Gives the port of it. */
  failOver(): Promise<number>
  stop(): Promise<void>
}

/**
 * @param folder for its data
 * @param isForFaults on a disk of its own, which can be full, and with a standby, without which nothing is acknowledged
 */
export async function startDatabase(folder: string, isForFaults: boolean): Promise<Database> {
  const disk = isForFaults ? await mountDisk(join(folder, 'disk')) : undefined
  const dataDir = join(disk ?? folder, 'primary')
  const standbyDir = join(folder, 'standby')
  let server = await startEmbeddedPostgres({ dataDir, password, settings })
  let standby: EmbeddedPostgres | undefined
  if (isForFaults) {
    const { port } = server
    // Nobody is connected yet, so that a copy of the files is a backup.
    await server.stop()
    await copyAsStandby(dataDir, standbyDir, port)
    server = await startEmbeddedPostgres({ dataDir, password, settings, preferredPort: port })
    if (server.port !== port) throw new Error(`Port ${port} is in use by somebody else now`)
    standby = await startEmbeddedPostgres({ dataDir: standbyDir, password, settings })
    await asAdmin(server, async (query) => {
      await query(`ALTER SYSTEM SET synchronous_standby_names = 'standby'`)
      await query('SELECT pg_reload_conf()')
    })
  }

  const startAgain = async () => {
    const { port } = server
    server = await startEmbeddedPostgres({ dataDir, password, settings, preferredPort: port })
    if (server.port !== port) throw new Error(`Port ${port} is in use by somebody else now`)
  }

  return {
    get port() {
      return server.port
    },
    get pid() {
      return server.pid
    },
    url: (database) => server.url(database),
    async restart(awayMs) {
      await server.stop()
      await pause(awayMs)
      await startAgain()
    },
    async fillDisk(forMs) {
      if (disk === undefined) throw new Error('The database has no disk of its own')
      const balloon = join(disk, 'balloon')
      // What becomes free meanwhile is taken, too.
      for (const deadline = Date.now() + forMs; Date.now() < deadline; await pause(200))
        await fill(disk, balloon)
      await rm(balloon)
      const hasEnded = await Promise.race([server.ended.then(() => true), pause(1_000).then(() => false)])
      // What sees to processes would start it again.
      if (hasEnded) await startAgain()
    },
    async failOver() {
      if (standby === undefined) throw new Error('The database has no standby')
      process.kill(server.pid, 'SIGKILL')
      await server.ended
      server = standby
      standby = undefined
      await asAdmin(server, (query) => query('SELECT pg_promote(true, 60)'))
      return server.port
    },
    async stop() {
      await server.stop()
      await standby?.stop()
      if (disk !== undefined) unmount(disk)
    },
  }
}

/** Why a disk of its own cannot be had here; undefined: it can. */
export function whyNoDisk(): string | undefined {
  return process.getuid?.() === 0 && process.platform === 'linux'
    ? undefined
    : 'only root on Linux may mount a small disk'
}

async function mountDisk(at: string): Promise<string | undefined> {
  if (whyNoDisk() !== undefined) return undefined
  await mkdir(at)
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'flamegate-test', at])
  process.once('exit', () => unmount(at))
  return at
}

function unmount(at: string): void {
  try {
    execFileSync('umount', ['-l', at], { stdio: 'ignore' })
  } catch {
    // It was unmounted before.
  }
}

async function fill(disk: string, balloon: string): Promise<void> {
  const { bavail, bsize } = await statfs(disk)
  if (bavail === 0) return
  const file = await open(balloon, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND)
  const piece = Buffer.alloc(Math.min(bavail * bsize, 2 ** 24))
  try {
    for (let left = bavail * bsize; left > 0; left -= piece.length) await file.write(piece)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
  } finally {
    await file.close()
  }
}

async function copyAsStandby(dataDir: string, standbyDir: string, primaryPort: number): Promise<void> {
  await cp(dataDir, standbyDir, { recursive: true })
  const primary = `host=127.0.0.1 port=${primaryPort} user=postgres password=${password} application_name=standby`
  await appendFile(
    join(standbyDir, 'postgresql.auto.conf'),
    `primary_conninfo = '${primary}'\nwal_retrieve_retry_interval = '500ms'\n`,
  )
  await writeFile(join(standbyDir, 'standby.signal'), '')
  const { uid, gid } = await stat(dataDir)
  if (process.getuid?.() === 0) {
    await chown(standbyDir, uid, gid)
    execFileSync('chown', ['-R', `${uid}:${gid}`, standbyDir])
  }
}

type Query = (sql: string) => Promise<unknown>

async function asAdmin(server: EmbeddedPostgres, work: (query: Query) => Promise<unknown>): Promise<void> {
  const log = { info: () => undefined, error: () => undefined }
  const url = server.url('postgres')
  const database = openDatabase({ appUrl: url, authUrl: url, poolSize: 1, log })
  try {
    await work((sql) => database.auth.query(sql))
  } finally {
    await database.close()
  }
}
