import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { chmod, chown, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { findBinaries } from './binaries.ts'
import type { Binaries } from './binaries.ts'
import { PostgresStartError } from './postgres-start-error.ts'
import { clearAbandonedServer, stopServer } from './postmaster.ts'
import { runAsUnprivileged } from './run-as.ts'
import type { RunAs } from './run-as.ts'

export { PostgresStartError } from './postgres-start-error.ts'

export interface EmbeddedPostgresOptions {
  /** Created on the first start. Nobody else may use it: hold a lock. */
  dataDir: string
  /** Of the superuser `postgres`. Only used on the first start; the cluster remembers it. */
  password: string
  /** Tried first, so that URLs stay the same; another free one is taken when it is in use. */
  preferredPort?: number
  /** What PostgreSQL says, line by line. */
  onLog?: (line: string) => void
  /** Settings for `postgres -c`, such as `{ fsync: 'off' }` for tests. */
  settings?: Readonly<Record<string, string>>
}

export interface EmbeddedPostgres {
  /** On 127.0.0.1. There is no Unix socket, whose path could be too long or shared. */
  port: number
  pid: number
  /** Whether this start created the cluster. */
  isNew: boolean
  /** The superuser's connection string for a database. */
  url: (database: string) => string
  /** Resolves when the server has ended, wanted or not. */
  ended: Promise<void>
  stop: () => Promise<void>
}

/** Crash recovery replays the log since the last checkpoint, at most some minutes' worth. */
const readyWithinMs = 120_000

/**
 * A real PostgreSQL 18 in a directory of its own, as an ordinary child process that ends with `stop()` and that a
 * terminal's Ctrl-C does not reach.
 * @throws PostgresStartError
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir)
  const binaries = findBinaries()
  const runAs = runAsUnprivileged(dataDir, Object.values(binaries))
  await clearAbandonedServer(dataDir)
  const isNew = !(await exists(join(dataDir, 'PG_VERSION')))
  if (isNew) await createCluster(dataDir, options.password, binaries, runAs)
  const { child, port, pid } = await startServer(dataDir, options, binaries, runAs, 3)

  const ended = new Promise<void>((done) => {
    if (child.exitCode !== null || child.signalCode !== null) done()
    else child.once('exit', () => done())
  })
  // For exits that nobody planned: better a fast shutdown behind our back than a server without an owner.
  const stopAtExit = () => child.kill('SIGINT')
  process.once('exit', stopAtExit)
  void ended.then(() => process.off('exit', stopAtExit))

  return {
    port,
    pid,
    isNew,
    url: (database) => {
      const url = new URL(`postgresql://127.0.0.1:${port}/${encodeURIComponent(database)}`)
      url.username = 'postgres'
      url.password = options.password
      return url.href
    },
    ended,
    stop: async () => {
      await stopServer(pid)
      await ended
    },
  }
}

/** `initdb` next to the final place and then a rename, so that an interrupted first start leaves nothing half-done. */
async function createCluster(
  dataDir: string,
  password: string,
  binaries: Binaries,
  runAs: RunAs,
): Promise<void> {
  const draft = `${dataDir}.new`
  const passwordFile = `${dataDir}.password`
  await rm(draft, { recursive: true, force: true })
  await mkdir(draft, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600 })
  if (runAs.account) {
    await chown(draft, runAs.account.uid, runAs.account.gid)
    await chown(passwordFile, runAs.account.uid, runAs.account.gid)
  }
  try {
    const { file, args } = runAs.command(binaries.initdb, [
      `--pgdata=${draft}`,
      '--username=postgres',
      `--pwfile=${passwordFile}`,
      '--auth=scram-sha-256',
      '--encoding=UTF8',
      // The same order and case rules everywhere, whatever locales the system has.
      '--locale=C',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--no-instructions',
    ])
    const child = spawn(file, args, {
      ...runAs.spawnOptions,
      cwd: dirname(dataDir),
      env: environment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const said = lastLines(child, () => {})
    const code = await new Promise<number | null>((done, fail) => {
      child.once('error', fail)
      child.once('close', done)
    }).catch((cause: unknown) => {
      throw new PostgresStartError(`PostgreSQL could not be run from ${binaries.initdb}.`, { cause })
    })
    if (code !== 0)
      throw new PostgresStartError(`The database could not be created in ${dataDir}.\n${said()}`)
    // An empty directory may be there already; a rename over it works, over anything else it fails.
    await rename(draft, dataDir)
  } finally {
    await rm(passwordFile, { force: true })
    await rm(draft, { recursive: true, force: true })
  }
}

async function startServer(
  dataDir: string,
  options: EmbeddedPostgresOptions,
  binaries: Binaries,
  runAs: RunAs,
  attemptsLeft: number,
): Promise<{ child: ChildProcess; port: number; pid: number }> {
  const port = await freePort(options.preferredPort)
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    lc_messages: 'C',
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...options.settings,
  }
  const { file, args } = runAs.command(binaries.postgres, [
    '-D',
    dataDir,
    '-p',
    String(port),
    ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  ])
  await chmod(dataDir, 0o700).catch(() => undefined)
  const child = spawn(file, args, {
    ...runAs.spawnOptions,
    cwd: dirname(dataDir),
    env: environment(),
    stdio: ['ignore', 'ignore', 'pipe'],
    // Its own process group: Ctrl-C in a terminal goes to us alone, and we stop it when nobody needs it any more.
    detached: true,
  })
  const outcome = await untilReady(child, options.onLog ?? (() => {}))
  if (outcome.isReady && child.pid !== undefined) return { child, port, pid: child.pid }
  // Somebody took the port between our look and PostgreSQL's.
  if (attemptsLeft > 1 && /could not bind|Address already in use/.test(outcome.said)) {
    return startServer(dataDir, { ...options, preferredPort: undefined }, binaries, runAs, attemptsLeft - 1)
  }
  throw new PostgresStartError(`The database in ${dataDir} did not start.\n${outcome.said}`)
}

async function untilReady(
  child: ChildProcess,
  onLog: (line: string) => void,
): Promise<{ isReady: boolean; said: string }> {
  return new Promise((done) => {
    const said = lastLines(child, (line) => {
      onLog(line)
      // A standby takes reads only.
      if (/database system is ready to accept (?:read-only )?connections/.test(line)) finish(true)
    })
    const timer = setTimeout(() => {
      child.kill('SIGQUIT')
      finish(false)
    }, readyWithinMs)
    const finish = (isReady: boolean) => {
      clearTimeout(timer)
      done({ isReady, said: said() })
    }
    child.once('error', () => finish(false))
    // `close` and not `exit`: by then all lines have been read.
    child.once('close', () => finish(false))
  })
}

/** Passes standard error on line by line and keeps the end of it for an error message. */
function lastLines(child: ChildProcess, onLine: (line: string) => void): () => string {
  const kept: string[] = []
  if (child.stderr) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      kept.push(line)
      if (kept.length > 12) kept.shift()
      onLine(line)
    })
  }
  return () => kept.join('\n')
}

/** Nothing of ours: PG* variables would change what the server does, and secrets are none of its business. */
function environment(): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env
  return { PATH, HOME, TMPDIR, SystemRoot, LC_ALL: 'C', TZ: 'UTC' }
}

async function freePort(preferred: number | undefined): Promise<number> {
  if (preferred !== undefined && (await listenOnce(preferred)) !== undefined) return preferred
  const port = await listenOnce(0)
  if (port === undefined)
    throw new PostgresStartError('There is no free TCP port on 127.0.0.1 for the database.')
  return port
}

/** The port if one could listen there, else undefined. */
async function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((done) => {
    const server = createServer()
    server.once('error', () => done(undefined))
    server.listen(port, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => done(typeof address === 'object' ? address?.port : undefined))
    })
  })
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
