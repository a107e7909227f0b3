import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Gateways from the registry that we are measured against. They are no part of the project, so they live elsewhere. */
const versions = { supergateway: '4.0.0', 'mcp-proxy': '6.7.19', fastmcp: '4.20.16' }

/**
 * Installs the peers, once per set of versions.
 * @returns the folder that holds their `node_modules`; undefined, and a word about it, when the registry is out of reach.
 */
export async function installPeers(): Promise<string | undefined> {
  const name = createHash('sha256').update(JSON.stringify(versions)).digest('hex').slice(0, 12)
  const folder = join(tmpdir(), `flamegate-bench-peers-${name}`)
  if (existsSync(folder)) return folder
  const unfinished = `${folder}-${process.pid}`
  await mkdir(unfinished)
  await writeFile(join(unfinished, 'package.json'), JSON.stringify({ private: true, dependencies: versions }))
  console.error('Installing the gateways to compare with …')
  const { status, stderr } = spawnSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: unfinished,
    encoding: 'utf8',
  })
  if (status !== 0) {
    console.error(`*** They are left out, because they could not be installed: ${stderr.trim()} ***`)
    await rm(unfinished, { recursive: true })
    return undefined
  }
  await rename(unfinished, folder)
  return folder
}
