import type { EndpointPath, Site } from './site.ts'

/** Opens the client with this server filled in. */
export interface InstallLink {
  link: string
  label: string
}

/** Something to copy. */
export interface Snippet {
  copy: string
  /** What it is: the accessible name. */
  label: string
  language: 'sh' | 'json' | 'toml' | 'yaml' | 'text'
  /** The file it goes into, as a whole or beside what is there. */
  file?: string
}

/** A piece of instruction: sentences, with code in backticks, or what they are about. */
export type Block = string | InstallLink | Snippet

/** Folder of the client's skills in a project, and its name to the installer `npx skills`. */
export interface SkillPlace {
  folder: string
  installer: string
  /** What has to be turned on first. */
  note?: string
}

/** How one MCP client is told about this server. */
export interface McpClient {
  /** Names its page: `docs/connect/<id>.md`. */
  id: string
  name: string
  /** Its maker's own page, which this was written after. */
  documentation: string
  /** Its maker's servers call, so that they must reach the installation over https. */
  callsFromAfar?: boolean
  path: EndpointPath
  /** The most tools it takes, of all its servers together, where that is known. */
  toolLimit?: number
  /** Why this address. */
  tools: string
  /** The quickest way: a link to press or a line to copy comes first. */
  add: readonly Block[]
  /** What to do so that it logs in; what the person sees then is the same for all. */
  logIn: string
  /** What to ask it first. */
  ask: string
  otherWays?: readonly Block[]
  /** Where it reads what every session shall know. */
  guide: readonly Block[]
  skills?: SkillPlace
  /** What keeps it from sending and fetching files, and how to let it. */
  files: readonly Block[]
  /** With a header in place of the log-in. */
  token: readonly Block[]
  remove: readonly Block[]
}

/** A client as it is told about one installation. */
export type DescribeClient = (site: Site) => McpClient
