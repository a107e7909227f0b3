import { toLine, type FunctionInterner } from '../function-interner.ts'
import type { Importer, ImportOptions } from '../importer.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile, SampleType } from '../profile.ts'
import { JsonReader, type JsonObject } from './json.ts'
import { binaryName } from './pprof-frames.ts'

const knownVersion = 2
const msPerTimeUnit: Readonly<Record<string, number>> = { µs: 1e-3, us: 1e-3, ms: 1, s: 1000 }

/** What a program point has, and which field of it tells; the names of heaps are pprof's. */
type Measure = SampleType & { field: string }

const heapTotals: Measure[] = [
  { field: 'tb', type: 'alloc_space', unit: 'bytes' },
  { field: 'tbk', type: 'alloc_objects', unit: 'count' },
]
const copyTotals: Measure[] = [
  { field: 'tb', type: 'copied_space', unit: 'bytes' },
  { field: 'tbk', type: 'copies', unit: 'count' },
]
const accesses: Measure[] = [
  { field: 'rb', type: 'read_space', unit: 'bytes' },
  { field: 'wb', type: 'written_space', unit: 'bytes' },
]

/**
 * What Valgrind's DHAT writes (`valgrind --tool=dhat`, format version 2: Valgrind 3.17 and later), and the Rust crate `dhat`.
 * https://valgrind.org/docs/manual/dh-manual.html and, for the fields, `dhat/dh_main.c`
 *
 * Each program point is a stack, innermost function first, with these sample types:
 *
 * - mode `heap`: `alloc_space` and `alloc_objects` over the whole run (the default is the first), `peak_space` and
 *   `peak_objects` when the heap was largest (DHAT's t-gmax), `inuse_space` and `inuse_objects` at the end, `lifetime`
 *   as a sum over blocks, in DHAT's unit of time, mostly instructions; and `read_space`, `written_space`, how many bytes were
 *   accessed in them
 * - mode `copy`: `copied_space`, `copies`
 * - mode `ad-hoc`: what the program counted, by the names that the file gives it: `units` and `events`
 *
 * Frames have lines, or else the binary as their file. Not kept are the peak of each point by itself (it cannot be added to
 * that of another) and how often each byte of a block was accessed. DHAT cuts stacks at `--num-callers`, 12 when not told.
 */
export const dhat: Importer = {
  format: 'dhat',
  recognizes: ({ jsonObject }) => jsonObject !== undefined && 'dhatFileVersion' in jsonObject,
  read: (file, options) => readDhat(file.needJsonObject('dhat'), options),
}

function readDhat(document: JsonObject, { maxNodes }: ImportOptions): ImportedProfile {
  const json = new JsonReader('dhat')
  const version = json.number(document.dhatFileVersion, '$.dhatFileVersion')
  if (version !== knownVersion) {
    json.fail(`version ${version} of the format; only version ${knownVersion} is read`, '$.dhatFileVersion')
  }
  const measures = measuresOf(json, document)
  const builder = new ProfileBuilder({
    format: 'dhat',
    sampleTypes: measures.map(({ type, unit }) => ({ type, unit })),
    maxNodes,
  })
  const texts = json.array(document.ftbl, '$.ftbl')
  const frames: (Frame | undefined)[] = []
  const frameAt = (index: number): Frame | undefined => {
    if (texts[index] === undefined) return undefined
    frames[index] ??= readFrame(json.string(texts[index], `$.ftbl[${index}]`), builder.functions)
    return frames[index]
  }
  const values = measures.map(() => 0)
  let missingFrames = 0
  const stack = { functionIndexes: new Int32Array(64), lines: new Int32Array(64), depth: 0 }

  for (const [index, value] of json.array(document.pps, '$.pps').entries()) {
    const path = `$.pps[${index}]`
    const point = json.object(value, path)
    const indexes = json.array(point.fs, `${path}.fs`)
    if (indexes.length > stack.lines.length) {
      stack.functionIndexes = new Int32Array(indexes.length)
      stack.lines = new Int32Array(indexes.length)
    }
    stack.depth = 0
    for (let at = indexes.length - 1; at >= 0; at--) {
      const frame = frameAt(json.number(indexes[at], `${path}.fs[${at}]`))
      if (frame === undefined) {
        missingFrames++
        continue
      }
      stack.functionIndexes[stack.depth] = frame.functionIndex
      stack.lines[stack.depth++] = frame.line
    }
    for (const [type, { field }] of measures.entries()) {
      values[type] = json.number(point[field], `${path}.${field}`)
    }
    builder.addStack(stack, values, { sampleCount: json.number(point.tbk, `${path}.tbk`) })
  }
  const warnings =
    missingFrames === 0
      ? []
      : [`${missingFrames} frames of stacks are not in the table of frames and were left out.`]
  return builder.finish({ durationMs: durationMs(document), warnings })
}

function measuresOf(json: JsonReader, document: JsonObject): Measure[] {
  const mode = json.string(document.mode, '$.mode')
  const tu = json.string(document.tu, '$.tu')
  // As the Rust crate writes it.
  const timeUnit = tu === 'µs' ? 'microseconds' : tu
  return [
    ...totalsOf(document, mode),
    ...(document.bklt === true
      ? [
          { field: 'gb', type: 'peak_space', unit: 'bytes' },
          { field: 'gbk', type: 'peak_objects', unit: 'count' },
          { field: 'eb', type: 'inuse_space', unit: 'bytes' },
          { field: 'ebk', type: 'inuse_objects', unit: 'count' },
          { field: 'tl', type: 'lifetime', unit: timeUnit },
        ]
      : []),
    ...(document.bkacc === true ? accesses : []),
  ]
}

/** A file that gives its units names counts what only the program knows. */
function totalsOf({ bsu, bksu }: JsonObject, mode: string): Measure[] {
  if (typeof bsu === 'string') {
    return [
      { field: 'tb', type: bsu, unit: 'count' },
      { field: 'tbk', type: typeof bksu === 'string' ? bksu : 'events', unit: 'count' },
    ]
  }
  return mode === 'copy' ? copyTotals : heapTotals
}

/** `te` is when the program ended, in the unit of time, which may be instructions. */
function durationMs({ te, tu }: JsonObject): number | undefined {
  const msPerUnit =
    typeof tu === 'string' && Object.hasOwn(msPerTimeUnit, tu) ? msPerTimeUnit[tu]! : undefined
  return typeof te === 'number' && msPerUnit !== undefined ? te * msPerUnit : undefined
}

interface Frame {
  functionIndex: number
  line: number
}

/** `0x10916B: leak (t.c:5)`, `0x48417B4: malloc (in /usr/lib/x.so)`, `0x10ae84: run (src/main.rs:12:9)`, `0x4D2: ???`. */
function readFrame(text: string, functions: FunctionInterner): Frame {
  const frame = text.replace(/^0x[0-9a-fA-F]+: /, '')
  const placeAt = frame.includes(' (in ') ? frame.lastIndexOf(' (in ') : frame.lastIndexOf(' (')
  const hasPlace = placeAt > 0 && frame.endsWith(')')
  const name = hasPlace ? frame.slice(0, placeAt) : frame
  const place = hasPlace ? frame.slice(placeAt + 2, -1) : ''
  if (place.startsWith('in ')) {
    const binary = place.slice('in '.length)
    return { functionIndex: functions.intern(name === '???' ? binaryName(binary) : name, binary), line: 0 }
  }
  const [, file = place, line = '0'] = /^(.*?):(\d+)(?::\d+)?$/.exec(place) ?? []
  return {
    functionIndex: functions.intern(name === '???' ? binaryName(file) : name, file),
    line: toLine(Number(line)),
  }
}
