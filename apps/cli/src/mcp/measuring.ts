import type { McpReport } from '@flamegate/mcp-profiling'
import type { CommandContext } from '../commands/command.ts'
import { interruptible } from '../harness/interruption.ts'
import { progressOn } from '../upload/progress.ts'
import { CouldNotMeasure } from './could-not-measure.ts'
import type { LoadRecord } from './load/load-record.ts'
import type { McpLoad } from './load/make-load.ts'
import { measureLoad, type MeasuredLoad } from './load/measure-load.ts'
import { planOperations } from './load/plan-operations.ts'
import { withServer, type OpenServer } from './open-server.ts'
import { askedOperations, askedTarget, countOf, durationMsOf } from './options.ts'
import { newReport, type ReportParts } from './report/new-report.ts'
import { requireAllowedLoad } from './target/allowed-load.ts'
import { findTarget } from './target/find-target.ts'

/** What a command that measures works with, while the server is there. */
export interface Measuring {
  server: OpenServer
  /** How many operations are called in turns. */
  operationCount: number
  interruption: AbortSignal
  /** Makes a load and shows how far it is. `what` is said before it. */
  measure: (what: string, load: McpLoad) => Promise<MeasuredLoad>
  /** The report of what was measured; its notes come after those on what was not called. */
  report: (parts: Omit<ReportParts, 'command' | 'startedAt' | 'label'>) => McpReport
}

export interface MeasuringOptions {
  /** Of the report. */
  command: string
  /** Whether lists and a resource are called too when nothing is named. */
  isWide: boolean
}

const warmUpCallsMax = 100_000

/**
 * Finds the server that the command line names, opens it, plans what is called, and hands all of it to `use`.
 * @throws UsageError, CouldNotMeasure
 */
export function measuring<T>(
  context: CommandContext,
  { command, isWide }: MeasuringOptions,
  use: (measuring: Measuring) => Promise<T>,
): Promise<T> {
  return interruptible(async (interruption) => {
    const { line, terminal } = context
    const target = await findTarget(askedTarget(line), terminal)
    const timeoutMs = durationMsOf(line, 'timeout', '30s')
    const warmUpCalls = countOf(line, 'warm-up', warmUpCallsMax, 0) ?? 10
    const asked = await askedOperations(line, terminal, isWide)
    const projectId = line.text('project') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined)
    await requireAllowedLoad(target, { client: context.client, projectId })
    const startedAt = new Date()
    const progress = progressOn(terminal, target.name)
    terminal.writeError(`${target.name}, from ${target.from}\n`)
    const showLogIn = (page: URL) =>
      terminal.writeError(`${target.name} asks you to log in. Open this page:\n\n  ${page.href}\n\n`)
    progress.say('opening')
    try {
      return await withServer(
        target,
        { env: terminal.env, timeoutMs, showLogIn, interruption },
        async (server) => {
          const { operations, notes } = await planOperations(server, asked)
          return use({
            server,
            operationCount: operations.length,
            interruption,
            async measure(what, load) {
              const onProgress = (record: LoadRecord) =>
                progress.say(`${what}, ${progressText(record, load)}`)
              const measured = await measureLoad(server, operations, load, {
                interruption,
                warmUpCalls,
                onProgress,
              })
              if (measured.load.started === 0)
                throw new CouldNotMeasure('It was stopped before a call was made.')
              return measured
            },
            report: (parts) =>
              newReport(server, {
                ...parts,
                command,
                startedAt,
                label: line.text('label'),
                notes: [...notes, ...(parts.notes ?? [])],
              }),
          })
        },
      )
    } finally {
      progress.end()
    }
  })
}

/** `12 s of 60 s, 1200 answers, 100/s, 0 failed` */
function progressText(record: LoadRecord, load: McpLoad): string {
  const seconds = (performance.now() - record.beganAtMs) / 1000
  const far =
    load.model === 'closed' && load.requests !== undefined
      ? `${record.started} of ${load.requests} calls`
      : `${seconds.toFixed(0)} s of ${((load.durationMs ?? 0) / 1000).toFixed(0)} s`
  return `${far}, ${record.ended} answers, ${(record.ended / seconds).toFixed(0)}/s, ${record.failed} failed`
}
