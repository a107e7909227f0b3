import type { Client } from '@flamegate/client'
import type { CommandContext } from '../commands/command.ts'
import type { RunOrigin } from '../origin/run-origin.ts'
import { sourceMapSearch } from '../source-maps/source-map-options.ts'
import type { Terminal } from '../terminal.ts'
import { fileKind, isProfileName, type FileKind } from './file-kind.ts'
import type { FoundFile } from './find-files.ts'
import { patientClient } from './patient-client.ts'
import { findProfilePlace, type ProfilePlace } from './profile-place.ts'
import { progressOn } from './progress.ts'
import { withResultsFile, type ResultsFile } from './results-file.ts'
import type { UploadContext } from './upload-content.ts'
import { openFile, readStdin, type UploadFile } from './upload-file.ts'
import { newRun } from './upload-options.ts'
import { uploadProfile, type UploadedProfile } from './upload-profile.ts'
import { uploadResults, type NewRun, type UploadedRun } from './upload-results.ts'

/** A file of which it is known what it holds. */
export interface FileToUpload extends ResultsFile {
  kind: FileKind
}

/**
 * Opens files. What one holds is told by its name and first bytes; in a folder by the names alone, because tools write
 * binary files of results there.
 *
 * @param isProfile what all of them are, when somebody said so
 * @throws UsageError
 */
export async function openFiles(
  found: readonly FoundFile[],
  isProfile: boolean | undefined,
): Promise<FileToUpload[]> {
  const opened: FileToUpload[] = []
  for (const { path, name, isNamed } of found) {
    const file = await openFile(path, name)
    const told = isNamed ? fileKind(file.name, file.head) : isProfileName(name) ? 'profile' : 'results'
    opened.push({ file, name, kind: kindAs(isProfile) ?? told })
  }
  return opened
}

/** Everything on stdin as a file. @throws UsageError */
export async function openStdin(
  stdin: Terminal['stdin'],
  isProfile: boolean | undefined,
): Promise<FileToUpload> {
  const file = await readStdin(stdin)
  return { file, name: file.name, kind: kindAs(isProfile) ?? fileKind(file.name, file.head) }
}

function kindAs(isProfile: boolean | undefined): FileKind | undefined {
  return isProfile === undefined ? undefined : isProfile ? 'profile' : 'results'
}

/**
 * Uploads files and prints what became of each: all results together are one run, and profiles belong to it, or to
 * `--run`.
 *
 * @param command program that was measured, when it is known
 * @param fields of the run, before what options and CI tell
 * @returns the run that was made, if there were results
 */
export async function uploadAll(
  { line, terminal, client }: CommandContext,
  files: readonly FileToUpload[],
  { origin, command, fields }: { origin: RunOrigin; command?: string; fields?: NewRun },
): Promise<UploadedRun | undefined> {
  const context: Omit<UploadContext, 'progress'> = {
    client: patientClient(client(), terminal),
    pause: (ms) => terminal.pause(ms),
    job: origin.job,
    isWaited: line.flag('wait') !== false,
  }
  const project = terminal.env['FLAMEGATE_PROJECT'] || undefined
  const print = (uploaded: UploadedRun | UploadedProfile) =>
    terminal.writeOut(line.flag('json') === true ? JSON.stringify(uploaded) : renderUploaded(uploaded))
  const withProgress = async <T>(file: UploadFile, send: (context: UploadContext) => Promise<T>) => {
    const progress = progressOn(terminal, file.name)
    try {
      return await send({ ...context, progress })
    } finally {
      progress.end()
    }
  }

  const results = files.filter(({ kind }) => kind === 'results')
  let made: UploadedRun | undefined
  if (results.length > 0) {
    const told = await newRun(line, origin, { cwd: terminal.cwd, command, project })
    const run = { ...told, ...fields }
    made = await withResultsFile(results, (file) =>
      withProgress(file, (sending) => uploadResults(sending, file, run)),
    )
    print(made)
  }

  const profiles = files.filter(({ kind }) => kind === 'profile')
  if (profiles.length > 0) {
    const repository = line.text('repository') ?? project ?? origin.repository
    const place = await placeOf(context.client, made, { runId: line.text('run'), repository })
    const profile = {
      ...place,
      benchmark: line.text('benchmark'),
      type: line.text('type'),
      tags: line.list('tag') ?? [],
    }
    const search = sourceMapSearch(line, terminal.cwd)
    for (const { file } of profiles) {
      print(await withProgress(file, (sending) => uploadProfile(sending, file, profile, search)))
    }
  }
  return made
}

function placeOf(
  client: Client,
  made: UploadedRun | undefined,
  known: { runId: string | undefined; repository: string | undefined },
): Promise<ProfilePlace> {
  return made !== undefined && known.runId === undefined
    ? Promise.resolve({ project_id: made.project_id, run_id: made.run_id })
    : findProfilePlace(client, known)
}

const shownWarningsMax = 5

/** What became of a file, for people. */
export function renderUploaded(uploaded: UploadedRun | UploadedProfile): string {
  return [
    `${uploaded.file}: ${whatItIs(uploaded)}`,
    ...uploaded.warnings.slice(0, shownWarningsMax).map((warning) => `  warning: ${warning}`),
    ...(uploaded.warnings.length > shownWarningsMax
      ? [`  and ${uploaded.warnings.length - shownWarningsMax} warnings more; --json has them all`]
      : []),
    `  ${uploaded.url}`,
  ].join('\n')
}

function whatItIs(uploaded: UploadedRun | UploadedProfile): string {
  if (uploaded.kind === 'profile') {
    const count = uploaded.source_map_count
    const maps = count === 0 ? '' : ` with ${count} source ${count === 1 ? 'map' : 'maps'}`
    return uploaded.format === null
      ? `is being read${maps} (task ${uploaded.task_id}), is profile ${uploaded.profile_id}`
      : `read as ${uploaded.format}${maps}, is profile ${uploaded.profile_id}`
  }
  return uploaded.result_count === null
    ? `is being read (task ${uploaded.task_id}), is run ${uploaded.run_id}`
    : `${uploaded.result_count} results, read as ${uploaded.adapter ?? 'nothing'}, are run ${uploaded.run_id}`
}
