import { FormatError } from '../format-error.ts'
import { limits } from '../limits.ts'
import { PairTable } from '../pair-table.ts'
import type { ProfileBuilder } from '../profile-builder.ts'
import { noSuch, type OtlpDictionary } from './otlp-dictionary.ts'
import { textOf } from './otlp-attributes.ts'
import { binaryName } from './pprof-frames.ts'

/** Where perf says that kernel functions come from. */
const kernelFile = '[kernel.kallsyms]'
const notYet = -1

/** From stacks of the dictionary to nodes of the tree. Each stack is walked once, however many samples have it. */
export class OtlpStacks {
  private readonly dictionary: OtlpDictionary
  private readonly builder: ProfileBuilder
  private readonly lineFunctions: Int32Array
  private readonly locationFunctions: Int32Array
  /** Stacks that samples have, with the sum of their values. */
  private readonly used: PairTable
  private readonly nodes: number[] = [0]
  private steps = 0
  /** Lines of a location come one after the other. */
  private binary = { location: notYet, file: '' }

  constructor(dictionary: OtlpDictionary, builder: ProfileBuilder, typeCount: number) {
    this.dictionary = dictionary
    this.builder = builder
    this.lineFunctions = new Int32Array(dictionary.lineFunctions.length).fill(notYet)
    this.locationFunctions = new Int32Array(dictionary.locationMappings.length).fill(notYet)
    this.used = new PairTable({
      valueWidth: typeCount,
      maxCount: Math.floor(limits.values / typeCount),
      overflow: () => new FormatError('there are too many stacks', { format: 'otlp' }),
    })
  }

  /** The node where a stack ends, which gets these values at its lines. */
  node(stack: number, values: ArrayLike<number>): number {
    const entry = this.used.intern(0, stack)
    const { valueWidth } = this.used
    for (let type = 0; type < valueWidth; type++)
      this.used.values[entry * valueWidth + type]! += values[type]!
    this.nodes[entry] ??= this.walk(stack)
    return this.nodes[entry]
  }

  /** Gives every line what the samples through it have. */
  addLines(): void {
    const { count, seconds, values, valueWidth } = this.used
    for (let entry = 1; entry < count; entry++) {
      const own = values.subarray(entry * valueWidth, (entry + 1) * valueWidth)
      const leaf = this.nodes[entry]!
      this.walk(seconds[entry]!, (node, line) =>
        this.builder.addLine(node, line, own, node === leaf ? own : undefined),
      )
    }
  }

  /** From the outermost frame to the innermost. */
  private walk(stack: number, onFrame?: (node: number, line: number) => void): number {
    const { stackEnds, stackLocations, locationLineEnds, lineNumbers } = this.dictionary
    if (stack > 0 && stack >= stackEnds.length) noSuch('stack', stack, stackEnds.length)
    const end = stack === 0 ? 0 : stackEnds.values[stack]!
    const start = stack === 0 ? 0 : stackEnds.values[stack - 1]!
    // What no frame is known of is something all the same.
    if (start === end) return this.builder.child(0, this.builder.functions.intern(binaryName(''), ''))
    let node = 0
    for (let index = end - 1; index >= start; index--) {
      const location = stackLocations.values[index]!
      if (location >= locationLineEnds.length) noSuch('location', location, locationLineEnds.length)
      const firstLine = location === 0 ? 0 : locationLineEnds.values[location - 1]!
      const lineEnd = locationLineEnds.values[location]!
      this.steps += Math.max(1, lineEnd - firstLine)
      if (this.steps > limits.inlineSteps) throw new FormatError('too many frames', { format: 'otlp' })
      if (firstLine === lineEnd) node = this.builder.child(node, this.functionOfLocation(location))
      for (let line = lineEnd - 1; line >= firstLine; line--) {
        const number = lineNumbers.values[line]!
        node = this.builder.child(node, this.functionOfLine(line, location), number)
        onFrame?.(node, number)
      }
    }
    return node
  }

  private functionOfLine(line: number, location: number): number {
    if (this.lineFunctions[line] === notYet) {
      const {
        strings,
        functionNames,
        functionSystemNames,
        functionFiles,
        functionStartLines,
        lineFunctions,
      } = this.dictionary
      const row = lineFunctions.values[line]!
      if (row > 0 && row >= functionNames.length) noSuch('function', row, functionNames.length)
      const name = strings.get(functionNames.values[row]!) || strings.get(functionSystemNames.values[row]!)
      const binary = this.binaryOf(location)
      this.lineFunctions[line] = this.builder.functions.intern(
        name || binaryName(binary),
        strings.get(functionFiles.values[row]!) || binary,
        functionStartLines.values[row],
      )
    }
    return this.lineFunctions[line]!
  }

  /** Of a location without lines, only the binary is known. */
  private functionOfLocation(location: number): number {
    if (this.locationFunctions[location] === notYet) {
      const binary = this.binaryOf(location)
      this.locationFunctions[location] = this.builder.functions.intern(binaryName(binary), binary)
    }
    return this.locationFunctions[location]!
  }

  private binaryOf(location: number): string {
    if (this.binary.location !== location) this.binary = { location, file: this.findBinary(location) }
    return this.binary.file
  }

  private findBinary(location: number): string {
    const { strings, mappingFiles, locationMappings } = this.dictionary
    const mapping = locationMappings.values[location]!
    if (mapping > 0 && mapping >= mappingFiles.length) noSuch('mapping', mapping, mappingFiles.length)
    const file = mapping === 0 ? '' : strings.get(mappingFiles.values[mapping]!)
    return file === '' && this.isKernel(location) ? kernelFile : file
  }

  /** By the attribute `profile.frame.type` of the semantic conventions. */
  private isKernel(location: number): boolean {
    const { strings, locationAttributes, locationAttributeEnds } = this.dictionary
    const start = location === 0 ? 0 : locationAttributeEnds.values[location - 1]!
    for (let index = start; index < locationAttributeEnds.values[location]!; index++) {
      const { key, value } = this.dictionary.attribute(locationAttributes.values[index]!)
      if (value === undefined || strings.get(key) !== 'profile.frame.type') continue
      if (textOf(value, strings) === 'kernel') return true
    }
    return false
  }
}
