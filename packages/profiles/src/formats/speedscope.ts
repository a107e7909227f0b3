import { CallTreeBuilder } from '../call-tree-builder.ts'
import { FunctionInterner } from '../function-interner.ts'
import { limits } from '../limits.ts'
import type { Profile, SampleType, ThreadSummary } from '../profile.ts'
import { JsonReader, type JsonObject } from './json.ts'

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
 * Reads a speedscope file, already parsed. https://www.speedscope.app/file-format-schema.json
 *
 * A file may hold several profiles, mostly one per thread. They become one tree and one `thread` entry each.
 * Each unit becomes a sample type; the unit of the active profile is the default.
 * A trace that ends with open frames is closed at its `endValue`, with a warning.
 */
export function readSpeedscope(document: JsonObject, options: { maxNodes?: number }): Profile {
  const json = new JsonReader('speedscope')
  const functions = new FunctionInterner()
  const shared = json.object(document.shared, '$.shared')
  const frames = json.array(shared.frames, '$.shared.frames').map((value, index) => {
    const path = `$.shared.frames[${index}]`
    const frame = json.object(value, path)
    return functions.intern(
      json.string(frame.name, `${path}.name`) || '(anonymous)',
      typeof frame.file === 'string' ? frame.file : '',
      typeof frame.line === 'number' ? frame.line : 0,
    )
  })
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

  const isTrace = profiles.every(({ profile }) => profile.type === 'evented')
  const builder = new CallTreeBuilder({
    sampleTypeCount: distinctUnits.length,
    maxNodes: options.maxNodes ?? limits.nodes,
    format: 'speedscope',
    countsCalls: isTrace,
  })
  const warnings: string[] = []
  const threads: ThreadSummary[] = []
  let sampleCount = 0
  let durationMs: number | undefined
  for (const [index, { profile, path }] of profiles.entries()) {
    const unit = units[index]!
    const sampleTypeIndex = distinctUnits.indexOf(unit)
    const totals = distinctUnits.map(() => 0)
    const add = (node: number, value: number) => {
      builder.add(node, sampleTypeIndex, value)
      totals[sampleTypeIndex]! += value
    }
    if (profile.type === 'sampled') sampleCount += readSampled(json, profile, path, frames, builder, add)
    else if (profile.type === 'evented') {
      const trace = readEvented(json, profile, path, frames, builder, add)
      sampleCount += trace.callCount
      if (trace.openFrames > 0)
        warnings.push(`${path} ends with ${trace.openFrames} open frames; they end with it.`)
    } else json.fail('expected type "sampled" or "evented"', `${path}.type`)

    const name = profile.name === undefined ? '' : json.string(profile.name, `${path}.name`)
    threads.push({ name: name || `profile ${index + 1}`, totals })
    if (msPerUnit[unit] !== undefined) {
      const start = json.number(profile.startValue, `${path}.startValue`)
      const end = json.number(profile.endValue, `${path}.endValue`)
      durationMs = Math.max(durationMs ?? 0, (end - start) * msPerUnit[unit])
    }
  }
  if (sampleCount === 0) json.fail('the profile holds no samples', '$.profiles')

  const active =
    typeof document.activeProfileIndex === 'number' ? units[document.activeProfileIndex] : undefined
  return {
    format: 'speedscope',
    sampleTypes: distinctUnits.map((unit) => ({ ...sampleTypeOfUnit[unit]! })),
    defaultSampleTypeIndex: distinctUnits.indexOf(active ?? units[0]!),
    durationMs,
    sampleCount,
    functions: functions.finish(),
    ...builder.finish(),
    labels: [],
    threads: profiles.length > 1 ? threads : [],
    warnings,
  }
}

type AddValue = (node: number, value: number) => void

/** `samples`: stacks of frame indexes, root first; `weights`: one per stack. Gives the number of samples. */
function readSampled(
  json: JsonReader,
  profile: JsonObject,
  path: string,
  frames: readonly number[],
  builder: CallTreeBuilder,
  add: AddValue,
): number {
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
      node = builder.child(node, functionIndex)
    }
    add(node, weights[index]!)
  }
  return samples.length
}

/** `events`: { type: 'O'pen | 'C'lose, frame, at }, ordered by `at` and nested. */
function readEvented(
  json: JsonReader,
  profile: JsonObject,
  path: string,
  frames: readonly number[],
  builder: CallTreeBuilder,
  add: AddValue,
): { callCount: number; openFrames: number } {
  const open: { node: number; frame: number }[] = []
  let now = json.number(profile.startValue, `${path}.startValue`)
  const endValue = json.number(profile.endValue, `${path}.endValue`)
  let callCount = 0
  const spendUntil = (at: number) => {
    if (open.length > 0) add(open[open.length - 1]!.node, at - now)
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
      const node = builder.child(open[open.length - 1]?.node ?? 0, functionIndex)
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
