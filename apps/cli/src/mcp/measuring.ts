import path from 'node:path'
import type { McpReport } from '@flamegate/mcp-profiling'
import type { CommandContext } from '../commands/command.ts'
import { interruptible } from '../harness/interruption.ts'
import { progressOn } from '../upload/progress.ts'
import { CouldNotMeasure } from './could-not-measure.ts'
import { debugOn } from './debug.ts'
import type { WantedInside } from './inside/inside.ts'
import { insideOptionsOf } from './inside/inside-options.ts'
import { notesOnUnwanted, wantedWithin } from './inside/wanted-within.ts'
import { inProfileFolder } from './inside/profile-folder.ts'
import { WatchedInside } from './inside/watched-inside.ts'
import type { LoadRecord } from './load/load-record.ts'
import type { McpLoad } from './load/make-load.ts'
import { measureLoad, type MeasuredLoad, type MeasureLoadOptions } from './load/measure-load.ts'
import { planOperations, type PlannedOperations } from './load/plan-operations.ts'
import { asRecorded, withinSamples } from './load/within-settings.ts'
import { withServer, type OpenServer } from './open-server.ts'
import { askedOperations, askedTarget, countOf, durationMsOf } from './options.ts'
import { newReport, type ReportParts } from './report/new-report.ts'
import { reportName } from './report/report-files.ts'
import { readSettings, requireEnabled } from './settings.ts'
import { requireAllowedLoad } from './target/allowed-load.ts'
import { findTarget } from './target/find-target.ts'

/** What a command that measures works with, while the server is there. */
export interface Measuring {
  server: OpenServer
  /** What is called, in turns. */
  operations: PlannedOperations['operations']
  /** How many operations are called in turns. */
  operationCount: number
  interruption: AbortSignal
  /** Makes a load and shows how far it is. `what` is said before it. */
  measure: (what: string, load: McpLoad, options?: MeasureOptions) => Promise<MeasuredLoad>
  /** Shows what goes on beside loads. */
  say: (what: string) => void
  /** Where files lie that `profiles` of a load has. */
  fileOf: (profile: McpReport['profiles'][number]) => string
  /** The report of what was measured; its notes come after those on what was not called. */
  report: (parts: Omit<ReportParts, 'command' | 'startedAt' | 'label'>) => McpReport
}

/** Of one load among several: what it has in place of what all have. */
export interface MeasureOptions extends Pick<MeasureLoadOptions, 'onCall'> {
  operations?: PlannedOperations['operations']
  warmUpCalls?: number
  /** What is seen of the inside meanwhile, of what was prepared; all of it when left out, nothing when false. */
  inside?: WantedInside | false
}

export interface MeasuringOptions {
  /** Of the report. */
  command: string
  /** Whether lists and a resource are called too when nothing is named. */
  isWide: boolean
  /** What is seen of the server from within; undefined: it is started and left as it is. */
  inside?: WantedInside | undefined
}

const warmUpCallsMax = 100_000

/**
 * Finds the server that the command line names, opens it, plans what is called, and hands all of it to `use`.
 * @throws UsageError, CouldNotMeasure
 */
export function measuring<T>(
  context: CommandContext,
  { command, isWide, inside: asksFor }: MeasuringOptions,
  use: (measuring: Measuring) => Promise<T>,
): Promise<T> {
  return interruptible(async (interruption) => {
    const { line, terminal } = context
    const settings = readSettings(terminal.cwd)
    requireEnabled(settings)
    const { performance: recorded } = settings.configuration
    const wanted = asksFor && wantedWithin(asksFor, settings.configuration)
    const debug = debugOn(terminal)
    const target = await findTarget(askedTarget(line), terminal)
    const timeoutMs = durationMsOf(line, 'timeout', '30s')
    const warmUpCalls = countOf(line, 'warm-up', warmUpCallsMax, 0) ?? 10
    const asked = await askedOperations(line, terminal, isWide)
    const projectId = line.text('project') ?? (terminal.env['FLAMEGATE_PROJECT'] || undefined)
    await requireAllowedLoad(target, { client: context.client, projectId })
    debug(`${target.kind === 'stdio' ? target.command.join(' ') : target.url} may be called`)
    const insideOptions = insideOptionsOf(line, terminal)
    const startedAt = new Date()
    const progress = progressOn(terminal, target.name)
    terminal.writeError(`${target.name}, from ${target.from}\n`)
    const showLogIn = (page: URL) =>
      terminal.writeError(`${target.name} asks you to log in. Open this page:\n\n  ${page.href}\n\n`)
    progress.say('opening')
    const folderName = reportName({ startedAt: startedAt.toISOString(), command, target })
    try {
      return await inProfileFolder(line, terminal, folderName, async ({ folder, isKept }) => {
        // It reads profiles in many formats: not for those who look from outside alone.
        const prepared =
          wanted &&
          (await import('./inside/prepare-inside.ts')).prepareInside(target, wanted, {
            ...insideOptions,
            folder,
          })
        return withServer(
          prepared?.target ?? target,
          { env: terminal.env, timeoutMs, showLogIn, interruption, hear: prepared?.hear },
          async (opened) => {
            // As it was asked for, whatever it was prepared with.
            const server = { ...opened, target }
            debug(`the session is open: ${JSON.stringify(server.connection)}`)
            const { operations, notes } = await planOperations(server, asked)
            debug(
              `called are ${operations.map(({ method, name, requests }) => `${method} ${name ?? ''} in ${requests.length} ways`).join(', ')}`,
            )
            await using inside = wanted && (await WatchedInside.open(prepared, server))
            return await use({
              server,
              operations,
              operationCount: operations.length,
              interruption,
              fileOf: ({ path: file }) => path.resolve(terminal.cwd, file),
              say: (what) => progress.say(what),
              async measure(what, load, part = {}) {
                const onProgress = (record: LoadRecord) =>
                  progress.say(`${what}, ${progressText(record, load)}`)
                debug(`${what} begins: ${JSON.stringify(load)}`)
                const bounded = withinSamples(load, settings)
                const measured = await measureLoad(server, part.operations ?? operations, bounded, {
                  interruption,
                  warmUpCalls: part.warmUpCalls ?? warmUpCalls,
                  onProgress,
                  inside: part.inside === false ? undefined : inside,
                  insidePart: part.inside ? wantedWithin(part.inside, settings.configuration) : undefined,
                  watchesProcesses: recorded.resourceMonitoring,
                  onCall: part.onCall,
                })
                if (measured.load.started === 0)
                  throw new CouldNotMeasure('It was stopped before a call was made.')
                const profiles = measured.profiles.map((profile) => ({
                  ...profile,
                  path: isKept ? path.relative(terminal.cwd, profile.path) : profile.path,
                }))
                debug(`${what} is over: ${JSON.stringify({ ...measured.load, perSecond: undefined })}`)
                return asRecorded({ ...measured, profiles }, recorded)
              },
              report: ({ profiles = [], ...parts }) =>
                newReport(server, {
                  ...parts,
                  command,
                  startedAt,
                  label: line.text('label'),
                  // Those that are not kept are gone when it is read.
                  profiles: isKept ? profiles : [],
                  notes: [
                    ...notes,
                    ...(asksFor && wanted ? notesOnUnwanted(asksFor, wanted) : []),
                    ...(parts.notes ?? []),
                  ],
                }),
            })
          },
        )
      })
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
