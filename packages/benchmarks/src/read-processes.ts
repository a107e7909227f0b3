import { adapterNames } from './adapters/index.ts'
import { combineProcesses } from './combine-processes.ts'
import { FormatError } from './format-error.ts'
import type { BenchmarkReport } from './read-benchmark-results.ts'
import type { ResultFiles } from './result-input.ts'
import { WarningList } from './warning-list.ts'

const folderOfProcess = /^process-([1-9]\d{0,2})\//

/**
 * What each process wrote, by its number from 1, when every file of an archive lies in a folder `process-<number>`, at
 * most 999; undefined for any other archive.
 */
export function filesOfProcesses(files: ResultFiles): Map<number, ResultFiles> | undefined {
  const processes = new Map<number, Map<string, Uint8Array>>()
  for (const [path, bytes] of files) {
    const [folder, number] = folderOfProcess.exec(path) ?? []
    if (folder === undefined) return undefined
    const own = processes.get(Number(number)) ?? new Map<string, Uint8Array>()
    processes.set(Number(number), own.set(path.slice(folder.length), bytes))
  }
  return processes
}

/**
 * Reads what several processes measured as one report. One that wrote nothing that can be read is left out and told, as
 * long as there are others.
 * @param read reads what one process wrote: its file, or its folder where it wrote several
 * @throws {FormatError} the one of the first process, when none can be read
 */
export function readProcesses(
  processes: ReadonlyMap<number, ResultFiles>,
  read: (content: Uint8Array | ResultFiles) => BenchmarkReport,
): BenchmarkReport {
  const warnings = new WarningList()
  const refused: FormatError[] = []
  const reports = Array.from({ length: Math.max(...processes.keys()) }, (_, index) => {
    const place = `process-${index + 1}`
    const files = processes.get(index + 1)
    if (files === undefined) {
      warnings.add(place, 'there is nothing of it.')
      return undefined
    }
    try {
      const [first] = files.values()
      return read(files.size === 1 && first !== undefined ? first : files)
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      refused.push(error)
      warnings.add(place, `not read: ${error.message}.`)
      return undefined
    }
  })
  const readable = reports.filter((report) => report !== undefined)
  if (readable.length === 0 && refused[0] !== undefined) throw refused[0]
  const results = combineProcesses(
    reports.map((report) => report?.results ?? []),
    warnings,
  )
  // What a tool always leaves out, each process says again.
  for (const report of readable) warnings.include(report.warnings)
  return {
    adapters: adapterNames.filter((name) => readable.some(({ adapters }) => adapters.includes(name))),
    environment: Object.assign({}, ...readable.map(({ environment }) => environment)),
    results,
    warnings: warnings.list(),
  }
}
