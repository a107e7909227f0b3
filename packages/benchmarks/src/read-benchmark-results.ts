import { adapterNames, adapters } from './adapters/index.ts'
import type { AdapterName } from './adapters/index.ts'
import type { BenchmarkResult, Environment } from './benchmark-result.ts'
import { withoutEmptyDeviation } from './empty-deviation.ts'
import { finiteResults } from './finite-results.ts'
import { FormatError } from './format-error.ts'
import { inputOf } from './result-input.ts'
import type { ResultFiles, ResultInput } from './result-input.ts'
import { filesOfProcesses, readProcesses } from './read-processes.ts'
import type { Reading } from './reader.ts'
import { makeUrisUnique } from './unique-uris.ts'
import { unpack } from './unpack.ts'
import { WarningList } from './warning-list.ts'
import { isZstd } from './zstd.ts'

/** One reading of an upload. Everything that was left out of `results` is named in `warnings`. */
export interface BenchmarkReport {
  /** The tool that wrote it; several, for an archive of several files. */
  adapters: AdapterName[]
  environment: Environment
  results: BenchmarkResult[]
  /** Sentences that name what was ignored and where (file, line or JSON path). At most 100, then a count. */
  warnings: string[]
}

type Asked = 'magic' | AdapterName

interface ReadingOf extends Reading {
  adapters: AdapterName[]
}

/**
 * Reads the output of a benchmark tool: one file, or a tar archive of the folder that a tool writes or of several
 * files; gzip and zstd around either is undone. With `magic` (the default) the content decides which tool it was. An
 * archive of the folders `process-1`, `process-2` … has in each what one process measured, and they are combined.
 * @throws {FormatError} with a place, when the bytes are not what the adapter reads.
 */
export function readBenchmarkResults(
  bytes: Uint8Array,
  { adapter = 'magic' }: { adapter?: Asked } = {},
): BenchmarkReport {
  const content = unpack(bytes)
  const processes = content instanceof Uint8Array ? undefined : filesOfProcesses(content)
  if (processes === undefined) return readContent(content, adapter)
  return readProcesses(processes, (ofProcess) => readContent(ofProcess, adapter))
}

function readContent(content: Uint8Array | ResultFiles, adapter: Asked): BenchmarkReport {
  const warnings = new WarningList()
  const reading =
    content instanceof Uint8Array
      ? readFile(content, adapter, warnings)
      : readFolder(content, adapter, warnings)
  const results = makeUrisUnique(finiteResults(reading.results, warnings), warnings).map(
    withoutEmptyDeviation,
  )
  if (results.length === 0) warnings.add('the file', 'there is no finished benchmark in it.')
  return { ...reading, results, warnings: warnings.list() }
}

function readFile(bytes: Uint8Array, asked: Asked, warnings: WarningList): ReadingOf {
  const reading = readRecognised(inputOf(bytes), asked, warnings)
  if (reading) return reading
  if (isZstd(bytes)) {
    throw new FormatError('The zstd file is damaged or cut off, or no known tool wrote what is in it')
  }
  if (asked === 'magic') {
    throw new FormatError(
      `None of these wrote the file: ${adapterNames.join(', ')}. Name the adapter if one did`,
      1,
    )
  }
  const named = adapters.find(({ name }) => name === asked)
  if (!named) throw new RangeError(`There is no adapter ${asked}`)
  return { adapters: [asked], ...named.readers[0].readAnyway(bytes, warnings) }
}

/** The whole folder if a tool writes such, else each file by itself. */
function readFolder(files: ResultFiles, asked: Asked, warnings: WarningList): ReadingOf {
  const whole = readRecognised({ form: 'folder', content: files }, asked, warnings)
  if (whole) return whole
  const readings = [...files].flatMap(([path, bytes]) => {
    try {
      return readFile(bytes, asked, warnings.within(path))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      warnings.add(path, `not read: ${error.message}.`)
      return []
    }
  })
  if (readings.length === 0) {
    throw new FormatError(`No known tool wrote any of the ${files.size} files in the archive`)
  }
  return {
    adapters: adapterNames.filter((name) => readings.some((reading) => reading.adapters.includes(name))),
    environment: Object.assign({}, ...readings.map(({ environment }) => environment)),
    results: readings.flatMap(({ results }) => results),
  }
}

function readRecognised(input: ResultInput, asked: Asked, warnings: WarningList): ReadingOf | undefined {
  for (const { name, readers } of adapters) {
    if (asked !== 'magic' && asked !== name) continue
    for (const reader of readers) {
      const reading = reader.readIfRecognised(input, warnings)
      if (reading) return { adapters: [name], ...reading }
    }
  }
  return undefined
}
