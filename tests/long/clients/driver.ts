import type { PackageVersion } from './install.ts'
import type { ClientDocument } from './metadata-hosts.ts'
import type { CommandResult, Terminal } from './terminal.ts'

/** Where a client finds itself. */
export interface Situation {
  terminal: Terminal
  mcpUrl: string
  /** The installation that it belongs to. */
  origin: string
  /** Where it finds a model that calls this tool, by the name that the client gives it. */
  modelCalling: (tool: string) => string
  /** Whether it has asked, since the step began, to open the browser. */
  hasAskedToLogIn: () => boolean
}

type Act = (situation: Situation) => Promise<CommandResult>

/** One row of the matrix: a client in one of the ways it can be used, driven by a script. */
export interface Driver {
  /** What `--only` names; several rows may share it. */
  id: string
  /** In the report. */
  title: string
  package: PackageVersion
  /** The document that it is known by. Without one it registers, and is told of nothing else. */
  document?: ClientDocument
  /** Writes what it has to know beforehand. */
  configure?: (situation: Situation) => Promise<unknown>
  logIn: Act
  /** Connects and lists the tools. */
  list: Act
  /** Calls `get_current_user`. */
  call: Act
  /** What it writes when it may not come in any more. */
  refusalText: RegExp
}

/** The server as it is called in the clients' settings. */
export const serverName = 'flamegate'
