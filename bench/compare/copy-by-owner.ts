import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { copyFile } from '../../packages/db/src/test-server.ts'

const run = promisify(execFile)

/** How somebody who owns a table loads a file into it, from their own machine. */
export interface OwnersCopy {
  /** For the table of results. */
  name: string
  copy: (url: string, table: string, file: string) => Promise<void>
}

/** `psql \copy`, or the same over the same protocol where there is no psql. */
export async function ownersCopy(): Promise<OwnersCopy> {
  try {
    const { stdout } = await run('psql', ['--version'])
    const version = /\d+(\.\d+)?/.exec(stdout)?.[0] ?? ''
    return { name: `\`\\copy\` by the owner, psql ${version}`, copy: copyByPsql }
  } catch {
    return { name: "owner's COPY FROM STDIN by the pg package", copy: copyFile }
  }
}

async function copyByPsql(url: string, table: string, file: string): Promise<void> {
  await run('psql', [url, '--no-psqlrc', '--quiet', '--command', `\\copy ${table} FROM '${file}'`])
}
