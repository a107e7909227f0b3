import { readFileSync } from 'node:fs'
import { hostname as machineName } from 'node:os'
import { z } from 'zod'
import type { CommandLine } from '../arguments/command-line.ts'
import { credentialsOf } from '../login/credentials.ts'
import type { Terminal } from '../terminal.ts'
import { UsageError } from '../usage-error.ts'

/** What all agents are told in the same way. */

/** As the option says, else the machine and process. @throws UsageError */
export function agentName(line: CommandLine): string {
  return named(
    line.text('name') ??
      `${machineName()
        .replaceAll(/[^\w.-]/g, '-')
        .slice(0, 48)}-${process.pid}`,
  )
}

/** @throws UsageError */
export function workspaceOf(line: CommandLine, { env }: Terminal): string {
  const workspaceId = line.text('workspace') ?? (env['FLAMEGATE_WORKSPACE'] || undefined)
  if (workspaceId === undefined) throw new UsageError('Say for which workspace it works: --workspace ws_…')
  return workspaceId
}

/** @throws UsageError */
export function named(name: string, option = 'name'): string {
  if (/^[\w.-]{1,60}$/.test(name)) return name
  throw new UsageError(`--${option} ${name}: Use letters, digits, dots, underscores and dashes.`)
}

/** Profiles tell much of a program, and a token is a token. On one machine nobody listens. @throws UsageError */
export function mustBeEncrypted({ env }: Terminal): void {
  const { protocol, hostname } = new URL(credentialsOf(env).url)
  const isHere = ['localhost', '127.0.0.1', '[::1]'].includes(hostname)
  if (protocol !== 'https:' && !isHere) {
    throw new UsageError('An agent connects by https alone: set FLAMEGATE_URL to such an address.')
  }
}

/** Says what an agent is at, with the time. */
export function agentLog(terminal: Terminal): (text: string) => void {
  return (text) => terminal.writeOut(`${new Date().toISOString()} ${text}`)
}

export function cliVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  return z.object({ version: z.string() }).parse(JSON.parse(readFileSync(file, 'utf8'))).version
}
