import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { McpReport } from '@flamegate/mcp-profiling'
import { FormatError, readProfile, type Profile } from '@flamegate/profiles'
import { UsageError } from '../../usage-error.ts'
import { findReport } from '../report/report-files.ts'

/** A profile that was taken before. */
export interface TakenProfile {
  /** Of the file, for people. */
  name: string
  profile: Profile
  /** The report that it belongs to, where it was found by that. */
  report: McpReport | undefined
}

/**
 * The profile of a file of any format; of a report's file, or the label of one that was kept, its CPU profile, else its first.
 * @throws UsageError
 */
export async function findProfile(
  cwd: string,
  wanted: string,
  mcp: string | undefined,
): Promise<TakenProfile> {
  const bytes = await readFile(path.resolve(cwd, wanted)).catch(() => undefined)
  if (bytes !== undefined && !isReport(bytes)) {
    return { name: path.basename(wanted), profile: read(wanted, bytes), report: undefined }
  }
  const report = await findReport(cwd, wanted, mcp)
  const taken = report.profiles.find(({ kind }) => kind === 'cpu') ?? report.profiles[0]
  if (taken === undefined) {
    throw new UsageError(
      `The report ${wanted} has no profile: measure with one, such as by mcp-profiler cpu --label ${wanted}.`,
    )
  }
  const name = report.target.label ?? report.target.server?.version ?? path.basename(taken.path)
  return { name, report, profile: await readProfileFile(cwd, taken.path) }
}

/** Its type is the first that it says. */
function isReport(bytes: Buffer): boolean {
  return bytes.subarray(0, 100).includes('"mcp_profiler_report"')
}

/** @throws UsageError */
export async function readProfileFile(cwd: string, file: string): Promise<Profile> {
  return read(file, await readFile(path.resolve(cwd, file)).catch(() => undefined))
}

function read(file: string, bytes: Buffer | undefined): Profile {
  if (bytes === undefined) throw new UsageError(`The profile ${file} cannot be read.`)
  try {
    return readProfile(bytes)
  } catch (error) {
    if (error instanceof FormatError) throw new UsageError(`${file}: ${error.message}`)
    throw error
  }
}
