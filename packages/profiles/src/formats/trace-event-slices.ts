import type { ProfileBuilder } from '../profile-builder.ts'
import type { ScriptFrame, ScriptFunctions } from '../symbols/script-functions.ts'
import { isDotnetState } from './dotnet-states.ts'
import { isObject, plainNumber, type JsonObject, type JsonReader } from './json.ts'
import { SliceEnds } from './trace-event-slice-ends.ts'
import { threadIdsOf, type ThreadIds, type TraceThreads } from './trace-event-threads.ts'

/** What `states` holds. */
const isOpen = 1
const isOver = 2

interface SliceThread {
  ids: ThreadIds
  begins: number[]
  ends: number[]
  wholes: number[]
}

/**
 * Slices of threads: `B` begins one and `E` ends it, `X` is a whole one with a duration. They nest, and the time of one that
 * is not within another of its thread is its own.
 *
 * Events may be in any order in the file, and it is not told which of several of one time comes first. As in speedscope:
 * - Slices begin in the order of their times, those of one time as in the file, but longer `X` before shorter ones.
 * - Of several ends at one time, first comes that which fits the innermost open slice by name and arguments, or by name.
 * - At one time, ends come before beginnings, but for a slice of no duration, which has to begin first.
 * - An end of another name than the innermost open slice is ignored. One without a name ends the innermost.
 * - An `X` that ends before one within it, as times that were rounded do, ends with that one. (speedscope leaves it open.)
 * - What is open at the end of a thread ends with it.
 * - dotnet-trace writes samples as slices; what it says of the innermost method is that method's own time.
 */
export class TraceSlices {
  startUs = Infinity
  endUs = -Infinity
  /** Whether any may last longer than no time. */
  hasDurations = false
  /** Whether dotnet-trace put them together of samples, so that each may be many calls. */
  areSamples = false
  count = 0
  private readonly json: JsonReader
  private readonly events: readonly JsonObject[]
  private readonly path: string
  private readonly starts: Float64Array
  private readonly finishes: Float64Array
  private readonly threads = new Map<string, SliceThread>()
  /** Per event, whether it is an open slice, and whether its end was passed over since one within it is longer. */
  private readonly states: Uint8Array
  private longerInnerSlices = 0
  private ignoredEnds = 0
  private openSlices = 0

  constructor(json: JsonReader, events: readonly JsonObject[], path: string) {
    this.json = json
    this.events = events
    this.path = path
    this.starts = new Float64Array(events.length)
    this.finishes = new Float64Array(events.length)
    this.states = new Uint8Array(events.length)
  }

  /** An event with the phase `B`, `E` or `X`. */
  add(index: number, event: JsonObject): void {
    const start = this.json.numberOrText(event.ts, `${this.path}[${index}].ts`)
    const duration = event.ph === 'X' ? (event.dur ?? event.tdur ?? 0) : 0
    const finish = start + Math.max(0, this.json.numberOrText(duration, `${this.path}[${index}].dur`))
    this.starts[index] = start
    this.finishes[index] = finish
    this.startUs = Math.min(this.startUs, start)
    this.endUs = Math.max(this.endUs, finish)
    if (event.ph === 'B' || finish > start) this.hasDurations = true
    if (event.ph !== 'E') this.count++
    if (isDotnetState(event.name)) this.areSamples = true

    const ids = threadIdsOf(event)
    const key = `${ids.pid} ${ids.tid}`
    let thread = this.threads.get(key)
    if (thread === undefined) this.threads.set(key, (thread = { ids, begins: [], ends: [], wholes: [] }))
    if (event.ph === 'B') thread.begins.push(index)
    else if (event.ph === 'E') thread.ends.push(index)
    else thread.wholes.push(index)
  }

  /** As values of one of the builder's sample types. `isBeside`: what is counted and has times are samples, not slices. */
  addTo(builder: ProfileBuilder, about: SlicesToAdd): void {
    for (const thread of this.threads.values())
      this.addThread(builder, thread, about, about.threads.labelSet(builder, thread.ids))
  }

  warn(warnings: string[]): void {
    if (this.ignoredEnds > 0)
      warnings.push(
        `${this.ignoredEnds} ends of slices were ignored: they do not fit the innermost open slice.`,
      )
    if (this.longerInnerSlices > 0)
      warnings.push(
        `${this.longerInnerSlices} slices end before one that is within them; they are as long as that one.`,
      )
    if (this.openSlices > 0)
      warnings.push(`${this.openSlices} slices were never ended; they end with their threads.`)
  }

  private addThread(
    builder: ProfileBuilder,
    thread: SliceThread,
    about: SlicesToAdd,
    labelSet: number,
  ): void {
    const { starts, finishes, states } = this
    const wholes = thread.wholes.toSorted((a, b) => starts[a]! - starts[b]! || finishes[b]! - finishes[a]!)
    const begins = [...thread.begins, ...wholes].toSorted((a, b) => starts[a]! - starts[b]!)
    const ends = new SliceEnds([...thread.ends, ...wholes], finishes, this.events)
    const openEvents: number[] = []
    const openNodes: number[] = []
    const values = Array.from({ length: about.typeCount }, () => 0)
    let now = 0
    const spendUntil = (time: number) => {
      const node = openNodes[openNodes.length - 1]
      if (node !== undefined && time > now) {
        values[about.typeIndex] = (time - now) * 1000
        const timeMs = about.isBeside ? undefined : (now - about.originUs) / 1000
        builder.add(node, values, { labelSet, timeMs, sampleCount: 0 })
        values[about.typeIndex] = 0
      }
      now = time
    }
    for (let next = 0; next < begins.length || !ends.isEmpty;) {
      const begin = begins[next]
      const top = openEvents[openEvents.length - 1]
      if (begin !== undefined && (ends.isEmpty || ends.isAfterBegin(begin, starts[begin]!, top))) {
        next++
        spendUntil(starts[begin]!)
        const caller = openNodes[openNodes.length - 1] ?? 0
        const event = this.events[begin]!
        const isState = caller > 0 && isDotnetState(event.name)
        const node = isState ? caller : this.child(builder, about.scripts, caller, event)
        builder.addCalls(node, 1)
        if (!about.isBeside) builder.add(node, values, { labelSet })
        openEvents.push(begin)
        states[begin] = isOpen
        openNodes.push(node)
        continue
      }
      const end = ends.take(top)
      if (top === undefined || !ends.fitsName(end, top)) {
        // What has both ends itself is open until its own.
        if (states[end] === isOpen) states[end] = isOver
        else this.ignoredEnds++
        continue
      }
      spendUntil(finishes[end]!)
      states[top] = 0
      openEvents.pop()
      openNodes.pop()
      while (openEvents.length > 0 && states[openEvents[openEvents.length - 1]!] === isOver) {
        this.longerInnerSlices++
        states[openEvents.pop()!] = 0
        openNodes.pop()
      }
    }
    this.openSlices += openEvents.length
  }

  /** Hermes' traces of calls say where the function is. */
  private child(
    builder: ProfileBuilder,
    scripts: ScriptFunctions,
    parent: number,
    { name, args }: JsonObject,
  ): number {
    const shown = typeof name === 'string' && name !== '' ? name : '(unnamed)'
    if (!isObject(args) || !('allocatedName' in args) || typeof args.url !== 'string')
      return builder.child(parent, builder.functions.intern(shown))
    const script: ScriptFrame = {
      name: shown,
      file: args.url,
      line: plainNumber(args.funcLine ?? 0),
      column: plainNumber(args.funcColumn ?? 0),
    }
    const line = scripts.lineIn(script, plainNumber(args.line ?? 0), plainNumber(args.column ?? 0))
    return builder.child(parent, scripts.intern(script), line)
  }
}

interface SlicesToAdd {
  threads: TraceThreads
  originUs: number
  typeIndex: number
  typeCount: number
  isBeside: boolean
  scripts: ScriptFunctions
}
