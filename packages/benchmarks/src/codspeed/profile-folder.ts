import type { BenchmarkResult, Environment } from '../benchmark-result.ts'
import { decodeText } from '../decode-text.ts'
import { jsonOfFile } from '../file-json.ts'
import type { JsonValue } from '../json-value.ts'
import type { Reading } from '../reader.ts'
import { refusingAt } from '../refusing-at.ts'
import type { ResultFiles } from '../result-input.ts'
import { readCallgrind } from '../valgrind/read-callgrind.ts'
import { EmptyArchive, unpack } from '../unpack.ts'
import type { WarningList } from '../warning-list.ts'
import { readEnvironment } from './environment.ts'
import { readExecutions } from './execution-timestamps.ts'
import { memoryResults } from './memory.ts'
import { readMemoryEvents } from './memory-events.ts'
import { readWalltimeResults } from './walltime.ts'

const MEMORY = /\.MemtrackArtifact\.msgpack$/
const TIMESTAMPS = /(^|[/.])ExecutionTimestamps\.msgpack$/
const ENVIRONMENT = /(^|\/)environment-\d+\.json$/
const METADATA = /(^|\/)walltime\.metadata$/
const WALLTIME = /(^|\/)results\/[^/]+\.json$/
const SIMULATION = /(^|\/)\d+\.out$/
/** Profiles, and what is needed to name the functions in them. */
const OF_THE_PROFILER =
  /(^|\/)(perf\.|perf-|valgrind\.|samply)[^/]*$|\.(log|map|pipedata|tgtrace|unwind|unwind_data|debug|symbols)$|unwind_data|symbols\.map/

/** A folder is CodSpeed's when it has a file that no other tool names so; the rest may be called anything. */
export function isProfileFolder(files: ResultFiles): boolean {
  return [...files.keys()].some((path) =>
    [MEMORY, TIMESTAMPS, ENVIRONMENT, METADATA].some((name) => name.test(path)),
  )
}

/** Whether the archive of such a folder has no results: of a command that ran no benchmark. @throws {FormatError} */
export function isEmptyProfileFolder(archive: Uint8Array): boolean {
  try {
    const files = unpack(archive)
    return (
      !(files instanceof Uint8Array) &&
      ![...files.keys()].some((path) => [MEMORY, WALLTIME, SIMULATION].some((name) => name.test(path)))
    )
  } catch (error) {
    if (error instanceof EmptyArchive) return true
    throw error
  }
}

/**
 * Reads the folder that the runner uploads, `profile.<id>.out` or what `CODSPEED_PROFILE_FOLDER` names: results of one
 * instrument, or of several in one archive.
 */
export function readProfileFolder(files: ResultFiles, warnings: WarningList): Reading {
  const readings = [...files].flatMap(([path, bytes]) => readResults(path, bytes, warnings))
  const environments = matching(files, ENVIRONMENT).map(([path, bytes]) =>
    readEnvironment(jsonOfFile(path, bytes)),
  )
  const metadata = matching(files, METADATA).map(([path, bytes]) => integrationOf(jsonOfFile(path, bytes)))
  return {
    environment: Object.assign(
      {},
      ...metadata,
      ...readings.map(({ environment }) => environment),
      ...environments,
    ),
    results: [...readings.flatMap(({ results }) => results), ...readMemory(files, warnings)],
  }
}

function matching(files: ResultFiles, name: RegExp): [path: string, bytes: Uint8Array][] {
  return [...files].filter(([path]) => name.test(path))
}

/** Of a file that has results by itself. */
function readResults(path: string, bytes: Uint8Array, warnings: WarningList): Reading[] {
  if (WALLTIME.test(path)) return [readWalltimeResults(jsonOfFile(path, bytes), warnings)]
  if (SIMULATION.test(path) && bytes.length > 0) {
    return [refusingAt(path, () => readCallgrind(decodeText(bytes), warnings.within(path)))]
  }
  const isKnown = [MEMORY, TIMESTAMPS, ENVIRONMENT, METADATA, OF_THE_PROFILER].some((name) => name.test(path))
  if (!isKnown) warnings.add(path, "not read: it is no part of CodSpeed's folder.")
  return []
}

/** The events of all processes; the times of benchmarks are in a file beside them. */
function readMemory(files: ResultFiles, warnings: WarningList): BenchmarkResult[] {
  const artifacts = matching(files, MEMORY)
  if (artifacts.length === 0) return []
  const executions = matching(files, TIMESTAMPS).flatMap(([path, bytes]) => readExecutions(bytes, path))
  const events = artifacts.flatMap(([path, bytes]) => readMemoryEvents(bytes, path, warnings))
  return memoryResults(events, executions, warnings)
}

/** `walltime.metadata` has {integration: [name, version]}, and else what its profiles need. */
function integrationOf(metadata: JsonValue): Environment {
  const integration = metadata.get('integration')
  if (integration.isMissing) return {}
  const [name, version] = integration.items()
  return name && version ? { [`library:${name.text()}`]: version.text() } : {}
}
