import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { mcpReport } from '@flamegate/mcp-profiling'
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server'
import { inOwnFolder } from '../../capture/in-own-folder.ts'
import type { Terminal } from '../../terminal.ts'
import { UsageError } from '../../usage-error.ts'
import { runChildCommand, type ChildOutcome } from '../child-command.ts'
import { knownServers } from '../target/known-servers.ts'
import { optionsOf } from './served-input.ts'
import { summaryOf } from './summary.ts'

export interface ServeSettings {
  terminal: Pick<Terminal, 'cwd' | 'env'>
  /** Whether a client may give commands and URLs of its own. */
  areCommandsAllowed: boolean
  /** Of `--may-change`: tools that may be called though they do not say that they only read. */
  mayChange: string
  /** That results are uploaded to; undefined: as the environment says. */
  projectId: string | undefined
  isUploaded: boolean | undefined
}

/** The server that a client wants measured. */
export interface WantedTarget {
  target: string
  command?: string[] | undefined
}

/** Runs commands of mcp-profiler for a client of the MCP server, and makes answers of what comes of them. */
export class CommandRunner {
  readonly settings: ServeSettings
  /** Two measurements at once would measure each other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(settings: ServeSettings) {
    this.settings = settings
  }

  /** A command that measures one server; `optionsIn` may put files into the folder that it is given. */
  async measure(
    command: readonly string[],
    wanted: WantedTarget,
    optionsIn: (folder: string) => Promise<string[]>,
    context: ServerContext,
  ): Promise<CallToolResult> {
    const { areCommandsAllowed } = this.settings
    const { target, command: words } = wanted
    if (!areCommandsAllowed) {
      if (words !== undefined) throw new UsageError(`Commands are not allowed here. ${howAllowed}`)
      await this.#requireNamed(target)
    }
    return this.#inTurn(
      async (folder) => [...command, ...optionsOf({ mcp: target }), ...(await optionsIn(folder))],
      context,
      words === undefined ? [] : ['--', ...words],
    )
  }

  /** A command that measures servers in turns, each of them the value of an option. */
  async measureInTurns(
    command: string,
    servers: Readonly<Record<string, string>>,
    optionsIn: (folder: string) => Promise<string[]>,
    context: ServerContext,
  ): Promise<CallToolResult> {
    for (const name of Object.values(servers)) await this.#requireNamed(name)
    return this.#inTurn(
      async (folder) => [command, ...optionsOf(servers), ...(await optionsIn(folder))],
      context,
      [],
    )
  }

  #inTurn(
    lineIn: (folder: string) => Promise<string[]>,
    context: ServerContext,
    words: readonly string[],
  ): Promise<CallToolResult> {
    const { mayChange, projectId, isUploaded } = this.settings
    const common = optionsOf({ 'may-change': mayChange, project: projectId, upload: isUploaded })
    const measuring = this.#last.then(() =>
      this.run(async (folder) => [...(await lineIn(folder)), ...common], context, words),
    )
    this.#last = measuring.catch(() => undefined)
    return measuring
  }

  /** Any command that can print markdown, and write what it has as JSON. */
  async run(
    lineIn: (folder: string) => Promise<string[]>,
    context: ServerContext,
    words: readonly string[] = [],
  ): Promise<CallToolResult> {
    const { cwd, env } = this.settings.terminal
    return inOwnFolder(async (folder) => {
      const output = path.join(folder, 'answer.json')
      const tell = progressTo(context)
      const line = [...(await lineIn(folder)), '--format=markdown', `--output=${output}`, ...words]
      const outcome = await runChildCommand(line, {
        cwd,
        env,
        signal: context.mcpReq.signal,
        onProgress: (text) => {
          if (!text.includes(output)) tell(text)
        },
      })
      // Where we had it put is nothing to anybody.
      const said = outcome.said
        .split('\n')
        .filter((each) => !each.includes(output))
        .join('\n')
      return answerOf({ ...outcome, said }, await readFile(output, 'utf8').catch(() => undefined))
    })
  }

  /** @throws UsageError for a server that no file names, and for what could be taken for a command or a URL */
  async #requireNamed(target: string): Promise<void> {
    const { servers } = await knownServers(this.settings.terminal)
    if (servers.some(({ name }) => name === target) && !/[\s/\\]/.test(target)) return
    const names = servers.map(({ name }) => name).join(', ')
    throw new UsageError(
      `There is no server ${target} in the files of this project or of its clients.${names === '' ? '' : ` There are: ${names}.`} ${howAllowed}`,
    )
  }
}

const howAllowed =
  'Add the server to mcp-profiler.config.json or .mcp.json; URLs and commands are taken when mcp-profiler serve runs with --allow-commands.'

function answerOf({ exitCode, out, said }: ChildOutcome, json: string | undefined): CallToolResult {
  if (exitCode !== 0 && exitCode !== 1) {
    return {
      isError: true,
      content: [{ type: 'text', text: said === '' ? 'It ended without a word.' : said }],
    }
  }
  const text = [out.trim(), said].filter((part) => part !== '').join('\n\n')
  return {
    content: [{ type: 'text', text }],
    structuredContent: {
      is_passed: exitCode === 0,
      session: /^Kept as (.+)$/m.exec(said)?.[1] ?? null,
      result: json === undefined ? null : shortened(JSON.parse(json)),
    },
  }
}

/** A report in short; anything else is short already. */
function shortened(result: unknown): unknown {
  const report = mcpReport.safeParse(result)
  return report.success ? summaryOf(report.data) : result
}

/** Whole seconds since it began, once each: how much is left only the command itself says, in words. */
function progressTo({ mcpReq }: ServerContext): (text: string) => void {
  const { _meta: meta } = mcpReq
  const progressToken = meta?.progressToken
  if (progressToken === undefined) return () => undefined
  const startedAt = performance.now()
  let told = 0
  return (message) => {
    const progress = Math.ceil((performance.now() - startedAt) / 1000)
    if (progress <= told) return
    told = progress
    // A client that is gone needs no progress.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined)
  }
}
