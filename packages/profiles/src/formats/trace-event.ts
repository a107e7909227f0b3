import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ProfileFile } from '../profile-file.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { ScriptFunctions } from '../symbols/script-functions.ts'
import { addCpuProfile, cpuSampleTypes, cpuType } from './cpuprofile.ts'
import { isObject, JsonReader, parseJson, type JsonObject } from './json.ts'
import { quote } from './text.ts'
import { CpuProfiles, isCpuProfileEvent } from './trace-event-cpu-profiles.ts'
import { withoutCutEnd } from './trace-event-cut.ts'
import { TraceSamples } from './trace-event-samples.ts'
import { TraceSlices } from './trace-event-slices.ts'
import { TraceThreads } from './trace-event-threads.ts'

const samples: SampleType = { type: 'samples', unit: 'count' }
const wall: SampleType = { type: 'wall', unit: 'nanoseconds' }
const slicesBeside: SampleType = { type: 'slices', unit: 'nanoseconds' }

/**
 * Trace Event Format: Chrome's about:tracing and DevTools' performance panel, Hermes, Node's `--trace-event-categories`,
 * and the many tools that write it to be looked at there. As a list of events, or as an object with `traceEvents`.
 * https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
 *
 * A list may end without its `]`, so that a program can be killed while it writes; a file cut within an event is read up to
 * the one before, with a warning. Times are microseconds in the file and nanoseconds in the profile.
 *
 * What is in the file decides what the profile is:
 * - CPU samples of V8 (`Profile` with `ProfileChunk`s, or `CpuProfile`): `samples`, `wall` and, by default, `cpu`, as
 *   `cpuprofile` tells them. Of two profilers that ran in one thread at once, that with more samples is kept.
 * - Samples with stack frames (`samples`, or events `P` with `sf`; `stackFrames`): `samples` and, by default, `wall`. A sample
 *   lasts until the next one of its thread, the last one 0.
 * - Otherwise the slices (`B`/`E` and `X`) are a trace of calls, of which the time of each is its `wall`: see `TraceSlices`.
 *   Where there are samples, too, slices with a duration are told beside them as the sample type `slices`: in a recording of
 *   DevTools that is what the browser did (tasks, layout, painting), and the samples are what JavaScript did meanwhile.
 *
 * Processes and threads are the labels `process` and `thread`, by name and id (`CrRendererMain 259`). Events that are no
 * stacks (async, counters, instants, flows, objects, memory dumps) are counted in a warning.
 */
export const traceEvent: Importer = {
  format: 'trace_event',
  recognizes: (file) => isTrace(file.json) || mayBeCutTrace(file),
  read: readTraceFile,
}

function isTrace(json: unknown): boolean {
  const events = isObject(json) ? json.traceEvents : json
  if (!Array.isArray(events)) return false
  return events.slice(0, 10).some((event) => isObject(event) && typeof event.ph === 'string')
}

function mayBeCutTrace({ json, jsonError, head }: ProfileFile): boolean {
  if (json !== undefined || jsonError === undefined) return false
  return /^\s*(\[|\{[^]*"traceEvents")/.test(head) && /"ph"\s*:\s*"/.test(head)
}

function readTraceFile(file: ProfileFile, options: ImportOptions): ImportedProfile {
  if (isTrace(file.json)) return readTrace(file.json, options, [])
  if (!mayBeCutTrace(file)) throw new FormatError('the file is not of this format', { format: 'trace_event' })
  const whole = withoutCutEnd(file.bytes)
  if (whole === undefined) throw file.jsonError
  const warnings = whole.isCut ? ['The file is cut off: it was read up to its last whole event.'] : []
  return readTrace(parseJson(whole.bytes), options, warnings)
}

function readTrace(
  document: unknown,
  { maxNodes, sourceMaps }: ImportOptions,
  warnings: string[],
): ImportedProfile {
  const json = new JsonReader('trace_event')
  const whole: JsonObject = isObject(document) ? document : {}
  const path = isObject(document) ? '$.traceEvents' : '$'
  const entries = json.array(isObject(document) ? document.traceEvents : document, path)
  if (entries.length > limits.jsonContainers) json.fail(`more than ${limits.jsonContainers} events`, path)
  const events = entries.map((entry) => (isObject(entry) ? entry : {}))

  const threads = new TraceThreads()
  const profiles = new CpuProfiles(json)
  const stacks = new TraceSamples(json, whole)
  const slices = new TraceSlices(json, events, path)
  const leftOut = new Map<string, number>()
  for (const [index, event] of events.entries()) {
    const phase = event.ph
    if (typeof phase !== 'string') count(leftOut, 'entries without a phase')
    else if (phase === 'M') threads.name(event)
    else if (phase === 'B' || phase === 'E' || phase === 'X') slices.add(index, event)
    else if (isCpuProfileEvent(event)) profiles.add(event, `${path}[${index}]`)
    else if (phase === 'P' && event.sf !== undefined) stacks.add(event, `${path}[${index}]`)
    else count(leftOut, nameOfPhase(phase))
  }
  const cpuProfiles = profiles.finish(warnings)
  const hasSamples = cpuProfiles.length > 0 || stacks.count > 0
  const sampleTypes = [
    ...(cpuProfiles.length > 0 ? cpuSampleTypes : hasSamples ? [samples, wall] : [wall]),
    ...(hasSamples && slices.hasDurations ? [slicesBeside] : []),
  ].map((sampleType) => ({ ...sampleType }))
  const builder = new ProfileBuilder({
    format: 'trace_event',
    sampleTypes,
    defaultSampleTypeIndex:
      cpuProfiles.length > 0 ? cpuType : sampleTypes.findIndex(({ type }) => type === 'wall'),
    maxNodes,
    countsCalls: !hasSamples && !slices.areSamples,
  })

  const scripts = new ScriptFunctions(builder.functions, sourceMaps)
  const tellsSlices = !hasSamples || slices.hasDurations
  let originUs = Math.min(stacks.startUs, tellsSlices ? slices.startUs : Infinity)
  for (const { startUs } of cpuProfiles) originUs = Math.min(originUs, startUs)
  let endUs = Math.max(originUs, stacks.endUs, tellsSlices ? slices.endUs : -Infinity)
  let sampleCount = stacks.addTo(builder, { threads, originUs, sampleTypes, scripts })

  for (const { document: profile, thread, startUs, lines, at } of cpuProfiles) {
    const part = { path: at, labelSet: threads.labelSet(builder, thread), originUs, lines, sourceMaps }
    const added = addCpuProfile(builder, json, profile, { ...part, sampleTypeCount: sampleTypes.length })
    endUs = Math.max(endUs, startUs + added.durationUs)
    sampleCount += added.sampleCount
    for (const warning of added.warnings) if (!warnings.includes(warning)) warnings.push(warning)
  }
  if (tellsSlices) {
    const typeIndex = sampleTypes.findIndex(({ type }) => type === (hasSamples ? 'slices' : 'wall'))
    slices.addTo(builder, {
      threads,
      originUs,
      typeIndex,
      typeCount: sampleTypes.length,
      isBeside: hasSamples,
      scripts,
    })
  }
  if (!hasSamples) sampleCount = slices.count
  slices.warn(warnings)
  if (leftOut.size > 0)
    warnings.push(
      `Left out, because they are no stacks: ${[...leftOut].map(([what, n]) => `${n} ${what}`).join(', ')}.`,
    )
  if (sampleCount === 0) json.fail('the trace holds neither samples nor slices', path)
  return builder.finish({
    durationMs: (endUs - originUs) / 1000,
    startedAt: startOf(whole),
    sampleCount,
    warnings,
  })
}

/** DevTools says when a recording started. */
function startOf({ metadata }: JsonObject): string | undefined {
  const start = isObject(metadata) ? metadata.startTime : undefined
  const time = typeof start === 'string' && start.length < 100 ? Date.parse(start) : NaN
  return Number.isNaN(time) ? undefined : new Date(time).toISOString()
}

const phasesWithoutStacks: readonly (readonly [phases: string, name: string])[] = [
  ['bneSTpF', 'async events'],
  ['stf', 'flow events'],
  ['NOD', 'object events'],
  ['iIR', 'instants and marks'],
  ['vV', 'memory dumps'],
  ['C', 'counters'],
  ['P', 'samples without a stack'],
]

function nameOfPhase(phase: string): string {
  const known = phasesWithoutStacks.find(([phases]) => phase.length === 1 && phases.includes(phase))
  return known?.[1] ?? `events of the phase ${quote(phase)}`
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1)
}
