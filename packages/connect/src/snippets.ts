import type { Snippet } from './client.ts'
import type { Site } from './site.ts'

/** In place of an API token. */
export const tokenPlaceholder = 'fg_…'

/** A command for a POSIX shell. */
export function command(label: string, copy: string): Snippet {
  return { copy, label, language: 'sh' }
}

/** What goes into a JSON file. */
export function jsonFile(file: string, value: object, label = `For ${file}`): Snippet {
  return { copy: JSON.stringify(value, null, 2), label, language: 'json', file }
}

/** What goes into a dialog, or into whatever file a client has. */
export function jsonText(label: string, value: object): Snippet {
  return { copy: JSON.stringify(value, null, 2), label, language: 'json' }
}

/** What goes into a YAML file. */
export function yamlFile(file: string, copy: string, label = `For ${file}`): Snippet {
  return { copy: copy.trim(), label, language: 'yaml', file }
}

/** What goes into a TOML file. */
export function tomlFile(file: string, copy: string, label = `For ${file}`): Snippet {
  return { copy: copy.trim(), label, language: 'toml', file }
}

/** Puts the guide for agents where the client reads it. */
export function fetchGuide({ origin }: Site, file: string): Snippet {
  const folders = file.includes('/') ? '--create-dirs ' : ''
  return command(`Fetch ${file}`, `curl ${folders}-o ${file} ${origin}/mcp/public/AGENTS.md`)
}

/** For a client that only starts programs: one from npm that speaks to us in its place, and logs in by a browser. */
export function bridge(url: string, ...more: string[]): { command: string; args: string[] } {
  const insecure = url.startsWith('http:') ? ['--allow-http'] : []
  return { command: 'npx', args: ['-y', 'mcp-remote', url, ...insecure, ...more] }
}
