import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { ScriptFunctions } from '../symbols/script-functions.ts'
import { isDotnetState } from './dotnet-states.ts'
import { isObject, JsonReader, type JsonObject } from './json.ts'

const sampleTypeOfUnit: Readonly<Record<string, SampleType>> = {
  none: { type: 'samples', unit: 'count' },
  bytes: { type: 'space', unit: 'bytes' },
  nanoseconds: { type: 'time', unit: 'nanoseconds' },
  microseconds: { type: 'time', unit: 'microseconds' },
  milliseconds: { type: 'time', unit: 'milliseconds' },
  seconds: { type: 'time', unit: 'seconds' },
}
const msPerUnit: Readonly<Record<string, number>> = {
  nanoseconds: 1e-6,
  microseconds: 1e-3,
  milliseconds: 1,
  seconds: 1000,
}

/**
 * A speedscope file. https://www.speedscope.app/file-format-schema.json
 *
 * A file may hold several profiles, mostly one per thread. They become one tree, and samples have the label `thread`.
 * Each unit becomes a sample type; the unit of the active profile is the default.
 * A trace that ends with open frames is closed at its `endValue`, with a warning. Where time is measured, an empty stack is
 * a time in which nothing ran: it passes and counts for nothing, as between the frames of a trace.
 * dotnet-trace ends every stack with `CPU_TIME` or `UNMANAGED_CODE_TIME`: that is the method's own time. Its traces are samples
 * that were put together, so no calls are counted. When they start and end it writes as texts.
 */
export const speedscope: Importer = {
  format: 'speedscope',
  recognizes: ({ jsonObject }) => isObject(jsonObject?.shared) && 'profiles' in jsonObject,
  read: (file, options) => readSpeedscope(file.needJsonObject('speedscope'), options),
}

function readSpeedscope(document: JsonObject, { maxNodes, sourceMaps }: ImportOptions): ImportedProfile {
  const json = new JsonReader('speedscope')
  const { profiles, units, distinctUnits } = readProfiles(json, document)
  const active =
    typeof document.activeProfileIndex === 'number' ? units[document.activeProfileIndex] : undefined
  const shared = json.object(document.shared, '$.shared')
  const frameObjects = json
    .array(shared.frames, '$.shared.frames')
    .map((value, index) => json.object(value, `$.shared.frames[${index}]`))
  const states = new Set(frameObjects.flatMap(({ name }, index) => (isDotnetState(name) ? index : [])))
  const builder = new ProfileBuilder({
    format: 'speedscope',
    sampleTypes: distinctUnits.map((unit) => ({ ...sampleTypeOfUnit[unit]! })),
    defaultSampleTypeIndex: distinctUnits.indexOf(active ?? units[0]!),
    maxNodes,
    countsCalls: profiles.every(({ profile }) => profile.type === 'evented') && states.size === 0,
  })
  const scripts = new ScriptFunctions(builder.functions, sourceMaps)
  const frames = frameObjects.map((frame, index) => {
    const path = `$.shared.frames[${index}]`
    return scripts.intern({
      name: json.string(frame.name, `${path}.name`) || '(anonymous)',
      file: typeof frame.file === 'string' ? frame.file : '',
      line: typeof frame.line === 'number' ? frame.line : 0,
      column: typeof frame.col === 'number' ? frame.col : 0,
    })
  })
  const threadNames = nameThreads(json, profiles, units)
  const startMs = earliestStartMs(json, profiles, units)
  const warnings: string[] = []
  let sampleCount = 0
  let durationMs: number | undefined
  for (const [index, { profile, path }] of profiles.entries()) {
    const unit = units[index]!
    const sampleTypeIndex = distinctUnits.indexOf(unit)
    const labelSet = profiles.length > 1 ? builder.labelSet([['thread', threadNames[index]!]]) : 0
    const values = distinctUnits.map(() => 0)
    const msPerValue = msPerUnit[unit]
    const startValue =
      msPerValue === undefined ? 0 : json.numberOrText(profile.startValue, `${path}.startValue`)
    const add: AddValue = (node, value, at) => {
      values[sampleTypeIndex] = value
      const timeMs = msPerValue === undefined ? undefined : at * msPerValue - startMs
      builder.add(node, values, { labelSet, timeMs })
    }
    if (profile.type === 'sampled')
      sampleCount += readSampled(json, { profile, path, frames, states, startValue }, builder, add)
    else if (profile.type === 'evented') {
      const trace = readEvented(json, { profile, path, frames, states, startValue }, builder, add)
      sampleCount += trace.callCount
      if (trace.openFrames > 0)
        warnings.push(`${path} ends with ${trace.openFrames} open frames; they end with it.`)
    } else json.fail('expected type "sampled" or "evented"', `${path}.type`)

    if (msPerValue !== undefined) {
      const endMs = json.numberOrText(profile.endValue, `${path}.endValue`) * msPerValue
      durationMs = Math.max(durationMs ?? 0, endMs - startMs)
    }
  }
  if (sampleCount === 0) json.fail('the profile holds no samples', '$.profiles')
  return builder.finish({ durationMs, sampleCount, warnings })
}

interface PlacedProfile {
  profile: JsonObject
  path: string
}

function readProfiles(
  json: JsonReader,
  document: JsonObject,
): { profiles: PlacedProfile[]; units: string[]; distinctUnits: string[] } {
  const profiles = json.array(document.profiles, '$.profiles').map((value, index) => ({
    profile: json.object(value, `$.profiles[${index}]`),
    path: `$.profiles[${index}]`,
  }))
  const units = profiles.map(({ profile, path }) => {
    const unit = json.string(profile.unit, `${path}.unit`)
    return Object.hasOwn(sampleTypeOfUnit, unit) ? unit : json.fail('unknown unit', `${path}.unit`)
  })
  const distinctUnits = [...new Set(units)]
  if (distinctUnits.length === 0) json.fail('the file holds no profiles', '$.profiles')
  return { profiles, units, distinctUnits }
}

/** When the first of those that are measured in times starts, on the clock that they share. */
function earliestStartMs(json: JsonReader, profiles: PlacedProfile[], units: string[]): number {
  const starts = profiles.flatMap(({ profile, path }, index) => {
    const msPerValue = msPerUnit[units[index]!]
    return msPerValue === undefined
      ? []
      : json.numberOrText(profile.startValue, `${path}.startValue`) * msPerValue
  })
  return starts.reduce((earliest, start) => Math.min(earliest, start), Infinity)
}

/** Two of one name and one unit are two threads; of different units, they are one that was measured in both. */
function nameThreads(json: JsonReader, profiles: PlacedProfile[], units: string[]): string[] {
  const counts = new Map<string, number>()
  return profiles.map(({ profile, path }, index) => {
    const given = profile.name === undefined ? '' : json.string(profile.name, `${path}.name`)
    const name = given || `profile ${index + 1}`
    const key = `${units[index]} ${name}`
    const count = (counts.get(key) ?? 0) + 1
    counts.set(key, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

interface ProfileToRead extends PlacedProfile {
  /** Function by index of the file. */
  frames: readonly number[]
  /** Frames that are no functions, but states of the one that they are in. */
  states: ReadonlySet<unknown>
  startValue: number
}

/** `at`: when, in the unit of the profile. */
type AddValue = (node: number, value: number, at: number) => void

/** `samples`: stacks of frame indexes, root first; `weights`: one per stack. Gives the number of samples. */
function readSampled(
  json: JsonReader,
  { profile, path, frames, states, startValue }: ProfileToRead,
  builder: ProfileBuilder,
  add: AddValue,
): number {
  let now = startValue
  let sampleCount = 0
  const isTimed = Object.hasOwn(msPerUnit, json.string(profile.unit, `${path}.unit`))
  const samples = json.array(profile.samples, `${path}.samples`)
  const weights = json.numbers(profile.weights, `${path}.weights`)
  if (weights.length !== samples.length) {
    json.fail(`${weights.length} weights for ${samples.length} samples`, `${path}.weights`)
  }
  for (const [index, value] of samples.entries()) {
    const stack = json.array(value, `${path}.samples[${index}]`)
    let node = 0
    for (let depth = 0; depth < stack.length; depth++) {
      const frame = stack[depth]
      const functionIndex = typeof frame === 'number' ? frames[frame] : undefined
      if (functionIndex === undefined) json.fail('no such frame', `${path}.samples[${index}][${depth}]`)
      if (node === 0 || !states.has(frame)) node = builder.child(node, functionIndex)
    }
    if (stack.length > 0 || !isTimed) {
      add(node, weights[index]!, now)
      sampleCount++
    }
    now += weights[index]!
  }
  return sampleCount
}

/** `events`: { type: 'O'pen | 'C'lose, frame, at }, ordered by `at` and nested. */
function readEvented(
  json: JsonReader,
  { profile, path, frames, states }: ProfileToRead,
  builder: ProfileBuilder,
  add: AddValue,
): { callCount: number; openFrames: number } {
  const open: { node: number; frame: number }[] = []
  let now = json.numberOrText(profile.startValue, `${path}.startValue`)
  const endValue = json.numberOrText(profile.endValue, `${path}.endValue`)
  let callCount = 0
  const spendUntil = (at: number) => {
    if (open.length > 0 && at > now) add(open[open.length - 1]!.node, at - now, now)
    now = at
  }
  for (const [index, value] of json.array(profile.events, `${path}.events`).entries()) {
    const eventPath = `${path}.events[${index}]`
    const event = json.object(value, eventPath)
    const at = json.number(event.at, `${eventPath}.at`)
    const frame = json.number(event.frame, `${eventPath}.frame`)
    const functionIndex = frames[frame] ?? json.fail('no such frame', `${eventPath}.frame`)
    if (at < now) json.fail(`time goes back from ${now} to ${at}`, `${eventPath}.at`)
    spendUntil(at)
    if (event.type === 'O') {
      const caller = open[open.length - 1]?.node ?? 0
      const node = caller > 0 && states.has(frame) ? caller : builder.child(caller, functionIndex)
      builder.addCalls(node, 1)
      open.push({ node, frame })
      callCount++
    } else if (event.type === 'C') {
      if (open.pop()?.frame !== frame) json.fail('closes a frame that is not the innermost', eventPath)
    } else json.fail('expected type "O" or "C"', `${eventPath}.type`)
  }
  if (open.length > 0) spendUntil(Math.max(now, endValue))
  return { callCount, openFrames: open.length }
}
