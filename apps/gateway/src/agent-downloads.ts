import { hash } from 'node:crypto'
import { extname } from 'node:path'
import {
  agentDownloads,
  agentFiles,
  claudeCodeMarketplace,
  pluginFolder,
  publicPath,
} from '@flamegate/surfaces'
import type { PublicText } from '@flamegate/surfaces'
import { zipSync } from 'fflate'

/** A file that anybody may have. */
export interface Download {
  /** Below the path that they are served at. */
  path: string
  content: string | Uint8Array
  contentType: string
}

const { folder, plugin, everything, marketplace } = agentDownloads

/** Plugins and rules for clients of agents, file by file and packed, made for this platform's own address. */
export function createAgentDownloads(publicUrl: string, texts: readonly PublicText[]): Download[] {
  const files = agentFiles(publicUrl, texts)
  const pluginZip = pack(
    files
      .filter(({ path }) => path.startsWith(`${pluginFolder}/`))
      .map(({ path, content }) => ({ path: path.slice(pluginFolder.length + 1), content })),
  )
  const listing = claudeCodeMarketplace(publicUrl, {
    source: 'archive',
    url: `${publicUrl}${publicPath}${folder}/${plugin}`,
    sha256: hash('sha256', pluginZip, 'hex'),
  })
  const zip = { contentType: 'application/zip' }
  return [
    ...files.map(({ path, content }) => ({
      path: `${folder}/${path}`,
      content,
      contentType: contentTypes[extname(path)] ?? 'text/markdown; charset=utf-8',
    })),
    {
      path: `${folder}/${marketplace}`,
      content: JSON.stringify(listing, null, 2),
      contentType: 'application/json',
    },
    { path: `${folder}/${plugin}`, content: pluginZip, ...zip },
    { path: `${folder}/${everything}`, content: pack(files), ...zip },
  ]
}

const contentTypes: Readonly<Record<string, string>> = {
  '.json': 'application/json',
  '.toml': 'application/toml',
}

/** The same files are the same bytes: no time of day is in them. The 2nd, so that it is 1980 in every time zone. */
const packedAt = '1980-01-02T00:00:00.000Z'

function pack(files: readonly { path: string; content: string }[]): Uint8Array {
  return zipSync(Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(content)])), {
    mtime: packedAt,
  })
}
