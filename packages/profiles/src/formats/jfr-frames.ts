import { longer } from '../columns.ts'
import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { ProfileBuilder } from '../profile-builder.ts'
import type { ColumnRows } from '../sorted-rows.ts'

/**
 * The stacks of a recording as a tree of frames, which are functions at lines. It is finer than the call tree, whose nodes
 * are functions, and tells what their lines have: events are added only where their stack ends, and what is above is added up
 * once, node by node, in the end.
 *
 *     frames   main:7 ─ read:3 ─ copy:9       call tree   main ─ read ─ copy
 *                     └ read:5
 *
 * This is where the time goes for large recordings. Mostly a stack begins like the one before, so only what differs is
 * looked up.
 */
export class JfrFrames {
  /** Stacks whose lines were not kept, because there are too many frames. */
  lostCount = 0
  private readonly builder: ProfileBuilder
  /** (Function, line). */
  private readonly frames: PairTable
  /** (Place of the caller, frame). */
  private readonly places: PairTable
  /** Per place, its node of the call tree, and the number of the end that is there, or 0. */
  private nodes = new Int32Array(1024)
  private ends = new Int32Array(1024)
  /** Per end, what events have whose stack ends there. */
  private ownValues: Float64Array
  private endCount = 0
  private readonly typeCount: number
  /** The frames of the stack entered last, outermost first, and their places. */
  private lastFrames = new Int32Array(256)
  private lastPlaces = new Int32Array(256)
  private lastDepth = 0

  /** @param maxPlaces as many as lines of nodes may have values */
  constructor(
    builder: ProfileBuilder,
    typeCount: number,
    maxPlaces = Math.min(limits.tableEntries, Math.floor(limits.values / (2 * typeCount))),
  ) {
    this.builder = builder
    this.typeCount = typeCount
    this.ownValues = new Float64Array(1024 * typeCount)
    this.frames = new PairTable({ valueWidth: 0, maxCount: limits.tableEntries, overflow: tooManyFrames })
    this.places = new PairTable({ valueWidth: 0, maxCount: maxPlaces, overflow: tooManyFrames })
  }

  /** The number of a frame, new or known; line 0 when it is not known. */
  frame(functionIndex: number, line: number): number {
    return this.frames.intern(functionIndex, line)
  }

  /** The place where a stack ends: the first `depth` of the frames, innermost first. */
  enter(frames: Int32Array, depth: number): number {
    if (depth > this.lastFrames.length) {
      this.lastFrames = longer(this.lastFrames, new Int32Array(depth * 2))
      this.lastPlaces = longer(this.lastPlaces, new Int32Array(depth * 2))
    }
    const { places, lastFrames, lastPlaces } = this
    const comparable = Math.min(depth, this.lastDepth)
    let index = 0
    while (index < comparable && frames[depth - 1 - index] === lastFrames[index]) index++
    let place = index === 0 ? 0 : lastPlaces[index - 1]!
    for (; index < depth; index++) {
      const frame = frames[depth - 1 - index]!
      const next = places.isFull ? places.find(place, frame) : this.child(place, frame)
      if (next === 0) {
        this.lastDepth = index
        return this.enterWithoutLines(frames, depth)
      }
      place = next
      lastFrames[index] = frame
      lastPlaces[index] = place
    }
    this.lastDepth = depth
    return place
  }

  /** The node of the call tree for a place. */
  node(place: number): number {
    return place < 0 ? -1 - place : this.nodes[place]!
  }

  /** Adds what an event has, one value per sample type. */
  add(place: number, values: Float64Array): void {
    if (place < 0) return
    const { typeCount } = this
    let end = this.ends[place]!
    if (end === 0) {
      end = ++this.endCount
      this.ends[place] = end
      if (end * typeCount + typeCount > this.ownValues.length)
        this.ownValues = longer(this.ownValues, new Float64Array(2 * this.ownValues.length + typeCount))
    }
    for (let type = 0; type < typeCount; type++) this.ownValues[end * typeCount + type]! += values[type]!
  }

  /** What the lines of nodes have: own values, then those with what was called from there. */
  lines(): ColumnRows {
    const { frames, places, typeCount } = this
    const { count, seconds } = places
    const withLine = new Int32Array(count)
    const nodes = new Int32Array(count)
    const lines = new Int32Array(count)
    let length = 0
    for (let place = 1; place < count; place++) {
      const line = frames.seconds[seconds[place]!]!
      if (line === 0) continue
      nodes[length] = this.nodes[place]!
      lines[length] = line
      withLine[length++] = place
    }
    const values = new Float64Array(count)
    return {
      firsts: nodes.subarray(0, length),
      seconds: lines.subarray(0, length),
      width: 2 * typeCount,
      column: (index) => {
        this.fillOwn(values, index % typeCount)
        if (index >= typeCount) this.addCalled(values)
        for (let row = 0; row < length; row++) values[row] = values[withLine[row]!]!
        return values.subarray(0, length)
      },
    }
  }

  private fillOwn(values: Float64Array, type: number): void {
    const { ends, ownValues, typeCount } = this
    for (let place = 0; place < values.length; place++) {
      const end = ends[place]!
      values[place] = end === 0 ? 0 : ownValues[end * typeCount + type]!
    }
  }

  private addCalled(values: Float64Array): void {
    const { firsts } = this.places
    // Callers have lower numbers.
    for (let place = values.length - 1; place > 0; place--) values[firsts[place]!]! += values[place]!
  }

  private child(place: number, frame: number): number {
    const { places, frames, builder } = this
    const before = places.count
    // What was made last has no children yet.
    const child = place === before - 1 ? places.internBelowLast(frame) : places.intern(place, frame)
    if (child < before) return child
    if (child === this.nodes.length) {
      this.nodes = longer(this.nodes, new Int32Array(2 * child))
      this.ends = longer(this.ends, new Int32Array(2 * child))
    }
    this.nodes[child] = builder.child(this.nodes[place]!, frames.firsts[frame]!, frames.seconds[frame])
    return child
  }

  /** Of a stack for which there is no place, the node stands for it: below 0, so that they cannot meet. */
  private enterWithoutLines(frames: Int32Array, depth: number): number {
    this.lostCount++
    let node = 0
    for (let index = depth - 1; index >= 0; index--) {
      const frame = frames[index]!
      node = this.builder.child(node, this.frames.firsts[frame]!, this.frames.seconds[frame])
    }
    return -1 - node
  }
}

function tooManyFrames(): FormatError {
  return new FormatError(`there are more than ${limits.tableEntries} frames`, { format: 'jfr' })
}
