import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { mcpReport, type McpReport } from '@flamegate/mcp-profiling'
import { z } from 'zod'
import { UsageError } from '../../usage-error.ts'

/** In the working directory: reports of before. */
export const keptFolder = '.mcp-profiler'

/** Of its file, without the ending, and of the folder with its profiles. */
export function reportName({
  startedAt,
  command,
  target,
}: Pick<McpReport, 'startedAt' | 'command'> & { target: { name: string } }): string {
  const moment = startedAt.replaceAll(/[-:]|\.\d+/g, '')
  return `${moment}-${command}-${inFileName(target.name)}`
}

const labelLengthMost = 60

function inFileName(text: string): string {
  return text.replaceAll(/[^A-Za-z0-9._-]+/g, '-')
}

/** Keeps a report, and says where. */
export async function keepReport(cwd: string, report: McpReport): Promise<string> {
  const folder = path.join(cwd, keptFolder)
  await mkdir(folder, { recursive: true })
  // Results of one machine are nothing for a repository.
  await writeFile(path.join(folder, '.gitignore'), '*\n')
  const { label } = report.target
  // Two that were measured in turns began at the same moment.
  const ending = label === null ? '' : `-${inFileName(label).slice(0, labelLengthMost)}`
  const name = `${reportName(report)}${ending}.json`
  await writeFile(path.join(folder, name), jsonOf(report))
  return path.join(keptFolder, name)
}

/** Indented, but for lists of numbers, of which a histogram has thousands. */
export function jsonOf(value: unknown): string {
  // A line end is in no text of JSON, so that what looks like a list in one is left as it is.
  const lists = /\[\n\s*((?:-?[\d.e+-]+,\n\s*)*-?[\d.e+-]+)\n\s*\]/g
  const text = JSON.stringify(value, null, 2)
  return `${text.replaceAll(lists, (_list, numbers: string) => `[${numbers.replaceAll(/\s+/g, ' ')}]`)}\n`
}

/**
 * The report of a file, or the latest that was kept under a label or of a version of the server. `mcp` is the server's name,
 * where it was said.
 * @throws UsageError when there is none
 */
export async function findReport(cwd: string, wanted: string, mcp: string | undefined): Promise<McpReport> {
  const file = await readFile(path.resolve(cwd, wanted), 'utf8').catch(() => undefined)
  if (file !== undefined) return readReport(wanted, file)
  for await (const { report } of keptReports(cwd)) {
    const { label, server, name: target } = report.target
    const isWanted = label === wanted || (label === null && server?.version === wanted)
    if (isWanted && (mcp === undefined || mcp === target)) return report
  }
  throw new UsageError(
    `${wanted} is no file, and no report in ${keptFolder} has that label${mcp === undefined ? '' : ` of ${mcp}`}. Measure with --label ${wanted} first.`,
  )
}

/** The reports that are kept, the latest first. What is none of this version is passed over. */
export async function* keptReports(cwd: string): AsyncGenerator<{ file: string; report: McpReport }> {
  const names = await readdir(path.join(cwd, keptFolder)).catch(() => [])
  // Names begin with the moment.
  for (const name of names
    .filter((each) => each.endsWith('.json'))
    .toSorted()
    .toReversed()) {
    const file = path.join(keptFolder, name)
    const read = mcpReport.safeParse(parsedJson(await readFile(path.join(cwd, file), 'utf8')))
    if (read.success) yield { file, report: read.data }
  }
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** @throws UsageError */
function readReport(name: string, text: string): McpReport {
  try {
    return mcpReport.parse(JSON.parse(text))
  } catch (error) {
    const why = error instanceof z.ZodError ? z.prettifyError(error).split('\n')[0] : 'it is no JSON'
    throw new UsageError(`${name} is no report of mcp-profiler: ${why}.`)
  }
}
