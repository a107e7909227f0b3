import type { ProfileBuilder } from '../profile-builder.ts'
import type { SampleType } from '../profile.ts'
import type { ScriptFrame, ScriptFunctions } from '../symbols/script-functions.ts'
import { isObject, plainNumber, type JsonObject, type JsonReader } from './json.ts'
import { threadIdsOf, type ThreadIds, type TraceThreads } from './trace-event-threads.ts'

interface TraceSample {
  thread: ThreadIds
  timeUs: number
  weight: number
  stackFrame: string
  path: string
}

/**
 * Samples of a trace: `{ pid, tid, ts, sf, weight? }`, where `sf` is an id in `stackFrames: { id: { name, category, parent? } }`.
 * Hermes writes names such as `parse(app.js:12:3)`, and where its function starts, as strings.
 */
export class TraceSamples {
  startUs = Infinity
  endUs = -Infinity
  private readonly json: JsonReader
  private readonly stackFrames: JsonObject
  private readonly samples: TraceSample[] = []
  private readonly nodes = new Map<string, number>()

  constructor(json: JsonReader, document: JsonObject) {
    this.json = json
    this.stackFrames = isObject(document.stackFrames) ? document.stackFrames : {}
    if (!Array.isArray(document.samples)) return
    for (const [index, sample] of document.samples.entries())
      this.add(json.object(sample, `$.samples[${index}]`), `$.samples[${index}]`)
  }

  get count(): number {
    return this.samples.length
  }

  add(sample: JsonObject, path: string): void {
    const timeUs = this.json.numberOrText(sample.ts, `${path}.ts`)
    this.startUs = Math.min(this.startUs, timeUs)
    this.endUs = Math.max(this.endUs, timeUs)
    this.samples.push({
      thread: threadIdsOf(sample),
      timeUs,
      weight: sample.weight === undefined ? 1 : this.json.numberOrText(sample.weight, `${path}.weight`),
      stackFrame: idOf(sample.sf) ?? '',
      path,
    })
  }

  /** Where the builder has `cpu`, because there are CPU profiles, too, a sample counts as that as well: it tells no idling. */
  addTo(
    builder: ProfileBuilder,
    about: {
      threads: TraceThreads
      originUs: number
      sampleTypes: readonly SampleType[]
      scripts: ScriptFunctions
    },
  ): number {
    const byThread = Map.groupBy(this.samples, ({ thread }) => `${thread.pid} ${thread.tid}`)
    for (const samples of byThread.values()) {
      samples.sort((a, b) => a.timeUs - b.timeUs)
      const labelSet = about.threads.labelSet(builder, samples[0]!.thread)
      for (const [index, { timeUs, weight, stackFrame, path }] of samples.entries()) {
        const nanoseconds = ((samples[index + 1]?.timeUs ?? timeUs) - timeUs) * 1000
        const valueOf: Readonly<Record<string, number>> = {
          samples: weight,
          wall: nanoseconds,
          cpu: nanoseconds,
        }
        const values = about.sampleTypes.map(({ type }) => valueOf[type] ?? 0)
        const node = this.place(builder, about.scripts, stackFrame, path)
        builder.add(node, values, { labelSet, timeMs: (timeUs - about.originUs) / 1000 })
      }
    }
    return this.samples.length
  }

  /** The node of a stack; a frame's callers are looked up once. */
  private place(builder: ProfileBuilder, scripts: ScriptFunctions, id: string, path: string): number {
    const pending: { id: string; frame: JsonObject }[] = []
    const seen = new Set<string>()
    let at: string | undefined = id
    while (at !== undefined && !this.nodes.has(at)) {
      if (!Object.hasOwn(this.stackFrames, at)) this.json.fail('no such stack frame', `${path}.sf`)
      if (seen.has(at)) this.json.fail('a stack frame is its own caller', `$.stackFrames.${at}`)
      seen.add(at)
      const frame = this.json.object(this.stackFrames[at], `$.stackFrames.${at}`)
      pending.push({ id: at, frame })
      at = idOf(frame.parent)
    }
    let node = at === undefined ? 0 : this.nodes.get(at)!
    for (const next of pending.toReversed()) {
      node = this.child(builder, scripts, node, next.frame)
      this.nodes.set(next.id, node)
    }
    return node
  }

  private child(
    builder: ProfileBuilder,
    scripts: ScriptFunctions,
    parent: number,
    frame: JsonObject,
  ): number {
    const text = typeof frame.name === 'string' ? frame.name : ''
    const [, name = text, file = ''] = /^(.*?)\(([^()]+):\d+:\d+\)$/.exec(text) ?? []
    const script: ScriptFrame = {
      name: name || '(anonymous)',
      file,
      line: plainNumber(frame.funcLine ?? 0),
      column: plainNumber(frame.funcColumn ?? 0),
    }
    const line = scripts.lineIn(script, plainNumber(frame.line ?? 0), plainNumber(frame.column ?? 0))
    return builder.child(parent, scripts.intern(script), line)
  }
}

/** Ids are keys of an object, so numbers and texts are the same. */
function idOf(id: unknown): string | undefined {
  return typeof id === 'number' || typeof id === 'string' ? String(id) : undefined
}
