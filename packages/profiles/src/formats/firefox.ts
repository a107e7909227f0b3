import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { ScriptFunctions } from '../symbols/script-functions.ts'
import { readGeckoThreads } from './firefox-gecko.ts'
import { readProcessedThreads } from './firefox-processed.ts'
import { FirefoxSampleTypes } from './firefox-sample-types.ts'
import { FirefoxStacks, type FirefoxStackTable, type FirefoxThread } from './firefox-thread.ts'
import { isObject, JsonReader, plainNumber, type JsonObject } from './json.ts'

/**
 * A profile of the Firefox profiler, in the form that Firefox writes (`MOZ_PROFILER_SHUTDOWN`; "gecko", versions 3 to 34
 * seen), as DevTools' performance panel saved it (the same in `profile`), and in the form that profiler.firefox.com and
 * converters such as samply save ("processed", up to version 70).
 * https://github.com/firefox-devtools/profiler/tree/main/docs-developer
 *
 * Sample types, those that the file has:
 * - `samples` (count) and `wall` (nanoseconds). A sample lasts until the next one of its thread, the last one the interval.
 *   Weights of samples are counts, milliseconds (then they are `wall`) or bytes (`space`, instead of `wall`).
 * - `cpu` (nanoseconds, or `cpu_cycles`): what the thread used since the sample before. The default where it is known, because
 *   all threads are sampled all the time, also while they wait.
 * - `js_allocations`, `native_allocations` and `native_deallocations` (bytes): sampled by Firefox, so they do not balance.
 *
 * Every thread of every process is in it, as labels `process` and `thread`. Inlined functions are frames of their own. The line
 * where a frame is goes to the lines; `(root)` is the root. Native frames without a symbol are told by their binary,
 * `[libxul.so]`. Markers and counters are left out, with a warning.
 */
export const firefox: Importer = {
  format: 'firefox',
  recognizes: ({ jsonObject }) => jsonObject !== undefined && profileOf(jsonObject) !== undefined,
  read: (file, options) => readFirefox(file.needJsonObject('firefox'), options),
}

function profileOf(document: JsonObject): JsonObject | undefined {
  const profile = isObject(document.profile) ? document.profile : document
  const { meta, threads } = profile
  if (!isObject(meta) || !Array.isArray(threads)) return undefined
  return 'interval' in meta || 'preprocessedProfileVersion' in meta ? profile : undefined
}

function readFirefox(document: JsonObject, { maxNodes, sourceMaps }: ImportOptions): ImportedProfile {
  const json = new JsonReader('firefox')
  const profile = profileOf(document) ?? json.fail('expected a profile with meta and threads', '$')
  const path = profile === document ? '$' : '$.profile'
  const meta = json.object(profile.meta, `${path}.meta`)
  const { threads, warnings } = isProcessed(profile)
    ? { threads: readProcessedThreads(json, profile, path), warnings: [] }
    : readGeckoThreads(json, profile, path)

  const types = new FirefoxSampleTypes(threads, meta)
  const builder = new ProfileBuilder({
    format: 'firefox',
    sampleTypes: types.sampleTypes,
    defaultSampleTypeIndex: types.defaultIndex,
    maxNodes,
  })
  const scripts = new ScriptFunctions(builder.functions, sourceMaps)
  const startMs = earliestMs(threads)
  let endMs = startMs
  let stackless = 0
  const stacksOf = new Map<FirefoxStackTable, FirefoxStacks>()
  for (const [index, thread] of threads.entries()) {
    const { process, name, stackTable } = thread
    const labelSet = builder.labelSet([
      ['process', process],
      ['thread', name],
    ])
    const stacks =
      stacksOf.get(stackTable) ?? new FirefoxStacks(builder, scripts, stackTable, types.sampleTypes.length)
    stacksOf.set(stackTable, stacks)
    for (const { samples, valuesOf, isSample } of types.of(json, thread, `thread ${index}`)) {
      for (let row = 0; row < samples.stacks.length; row++) {
        const stack = samples.stacks[row]!
        const timeMs = samples.timesMs[row]! - startMs
        endMs = Math.max(endMs, samples.timesMs[row]!)
        if (stack === -1) stackless++
        else stacks.add(stack, valuesOf(row), isSample ? { labelSet, timeMs } : { labelSet, sampleCount: 0 })
      }
    }
  }
  for (const stacks of stacksOf.values()) stacks.addLines()
  return builder.finish({
    durationMs: endMs - startMs + types.intervalMs,
    startedAt: isoTime(plainNumber(meta.startTime) + startMs),
    warnings: [...warnings, ...warningsOf(profile, threads, stackless)],
  })
}

/** Profiles before the first numbered version of the form are told by their tables. */
function isProcessed({ meta, threads }: JsonObject): boolean {
  if (isObject(meta) && 'preprocessedProfileVersion' in meta) return true
  const first: unknown = Array.isArray(threads) ? threads[0] : undefined
  return isObject(first) && isObject(first.samples) && !('schema' in first.samples)
}

/** When the first sample was taken. */
function earliestMs(threads: readonly FirefoxThread[]): number {
  let earliest = Infinity
  for (const { samples } of threads) for (const time of samples.timesMs) if (time < earliest) earliest = time
  return Number.isFinite(earliest) ? earliest : 0
}

/** Converters write 0 where they do not know. */
function isoTime(epochMs: number): string | undefined {
  const time = new Date(epochMs)
  return Number.isNaN(time.getTime()) || epochMs < 1e9 ? undefined : time.toISOString()
}

function warningsOf(profile: JsonObject, threads: readonly FirefoxThread[], stackless: number): string[] {
  const markers = threads.reduce((sum, { markerCount }) => sum + markerCount, 0)
  const counters = Array.isArray(profile.counters) ? profile.counters.length : 0
  return [
    ...(stackless > 0 ? [`${stackless} samples have no stack; they were left out.`] : []),
    ...(markers > 0 ? [`${markers} markers were left out: they have no stacks.`] : []),
    ...(counters > 0 ? [`${counters} counters were left out: they have no stacks.`] : []),
  ]
}
