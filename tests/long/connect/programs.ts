import { drivers } from '../clients/drivers/index.ts'
import type { PackageVersion } from '../clients/install.ts'

/** A client that is on npm, in what it writes about a server. */
export interface Program {
  /** As the page has it. */
  id: string
  package: PackageVersion
  /** Lists the servers with their state. */
  list: string
  /** What it says of a server that it could connect to with a token. */
  connected: RegExp
  /** What it says of one for which somebody has to log in. */
  waiting: RegExp
  env?: Readonly<Record<string, string>>
  /** Where a file of its settings goes, if it is not the place that the page names. */
  placeOf?: (file: string) => string
}

/** In the versions that docs/clients.md tells of. */
const versionOf = (id: string): PackageVersion => {
  const driver = drivers.find((each) => each.id === id)
  if (driver === undefined) throw new RangeError(`There is no driver of ${id}.`)
  return driver.package
}

export const programs: readonly Program[] = [
  {
    id: 'claude-code',
    package: versionOf('claude-code'),
    list: 'claude mcp list',
    connected: /flamegate: .*Connected/,
    waiting: /flamegate: .*(?:Needs authentication|Pending approval)/,
    env: { DISABLE_AUTOUPDATER: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
  },
  {
    id: 'codex',
    package: versionOf('codex'),
    list: 'codex mcp list',
    connected: /flamegate .*enabled +Bearer token/,
    waiting: /flamegate .*enabled +Not logged in/,
  },
  {
    id: 'gemini-cli',
    package: versionOf('gemini-cli'),
    list: 'gemini mcp list',
    connected: /flamegate: .*Connected/,
    waiting: /flamegate: .*(?:Disconnected|Connecting|authentication)/i,
    env: { GEMINI_API_KEY: 'unused', GEMINI_CLI_TRUST_WORKSPACE: 'true' },
  },
  {
    id: 'opencode',
    package: versionOf('opencode'),
    list: 'opencode mcp list',
    connected: /flamegate\s+connected/,
    waiting: /flamegate\s+needs authentication/,
    env: { OPENCODE_DISABLE_AUTOUPDATE: 'true' },
  },
]

/** What `npx skills` fetches. */
export const skillInstaller = { package: { package: 'skills', version: '1.7.4' } }
