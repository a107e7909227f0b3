import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { PostgresStartError } from './postgres-start-error.ts'

interface Account {
  uid: number
  gid: number
}

/** How to start PostgreSQL's programs. */
export interface RunAs {
  /** Who must own the files; undefined when it is us. */
  account: Account | undefined
  /** The command line to use for a program. */
  command: (program: string, args: readonly string[]) => { file: string; args: string[] }
  /** For `spawn`, empty when nothing changes. */
  spawnOptions: { uid?: number; gid?: number }
}

const asOurselves: RunAs = {
  account: undefined,
  command: (program, args) => ({ file: program, args: [...args] }),
  spawnOptions: {},
}

/**
 * PostgreSQL refuses to run as root. Root therefore runs it as `postgres`, or as `nobody` where that account is
 * missing, and no account is ever created.
 * @param dataDir belongs to this account from then on; when it exists, its owner stays.
 * @param programs must be reachable for it. When a directory above them is closed (a checkout in `/root`), the account
 * gets the one capability that opens directories, through util-linux's `setpriv`.
 */
export function runAsUnprivileged(dataDir: string, programs: readonly string[]): RunAs {
  if (process.getuid?.() !== 0) return asOurselves
  const account = ownerOf(dataDir) ?? accountNamed('postgres') ?? accountNamed('nobody')
  if (!account)
    throw new PostgresStartError('PostgreSQL cannot run as root, and there is no account named nobody.')
  if ([dataDir, ...programs].every((path) => isReachable(path, account))) {
    return { ...asOurselves, account, spawnOptions: account }
  }
  return { account, command: withSetpriv(account), spawnOptions: {} }
}

function withSetpriv({ uid, gid }: Account): RunAs['command'] {
  const path = findOnPath('setpriv')
  if (path === undefined) {
    throw new PostgresStartError(
      'PostgreSQL cannot run as root, and no other account may enter this directory. Move the checkout and the data ' +
        'directory out of /root, or start as an ordinary user.',
    )
  }
  return (program, args) => ({
    file: path,
    args: [
      `--reuid=${uid}`,
      `--regid=${gid}`,
      '--clear-groups',
      '--inh-caps=-all,+dac_override',
      '--ambient-caps=-all,+dac_override',
      '--',
      program,
      ...args,
    ],
  })
}

/** Who owns the data directory of an earlier start; root itself never does for long. */
function ownerOf(dataDir: string): Account | undefined {
  const found = statSync(dataDir, { throwIfNoEntry: false })
  return found && found.uid !== 0 ? { uid: found.uid, gid: found.gid } : undefined
}

function accountNamed(name: string): Account | undefined {
  try {
    const ask = (flag: string) =>
      Number(execFileSync('id', [flag, name], { stdio: ['ignore', 'pipe', 'ignore'] }))
    return { uid: ask('-u'), gid: ask('-g') }
  } catch {
    return undefined
  }
}

function findOnPath(program: string): string | undefined {
  return ['/usr/bin', '/bin', '/usr/local/bin']
    .map((directory) => `${directory}/${program}`)
    .find((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)
}

/** May this account pass through every directory above the path? By mode bits alone, so never too optimistic by ACLs. */
function isReachable(path: string, account: Account): boolean {
  const parent = dirname(path)
  const found = statSync(parent, { throwIfNoEntry: false })
  const isOpen =
    found === undefined ||
    (found.uid === account.uid
      ? (found.mode & 0o100) !== 0
      : found.gid === account.gid
        ? (found.mode & 0o010) !== 0
        : (found.mode & 0o001) !== 0)
  return isOpen && (parent === path || isReachable(parent, account))
}
