import type { Importer, ImportOptions } from '../importer.ts'
import type { LabelSet } from '../profile-detail.ts'
import { ProfileBuilder } from '../profile-builder.ts'
import type { ImportedProfile } from '../profile.ts'
import { goLabels } from './pprof-text-rows.ts'
import { textLines } from './text-lines.ts'

const format = 'goroutine_dump'

/** `goroutine 33 gp=0xc000 m=nil [chan receive, 5 minutes, locked to thread] {"job": "sweep"}:` */
const headerPattern = /^goroutine \d{1,19}(?: \w+=\S+){0,4} \[([^\]]{1,200})\](.{0,4000}):\s*$/
const headerLine = /^goroutine \d{1,19}(?: \w+=\S+){0,4} \[[^\]]{1,200}\].{0,4000}:\s*$/m

/**
 * The stacks of all goroutines, as Go prints them: `/debug/pprof/goroutine?debug=2`, `runtime.Stack`, SIGQUIT, and what a
 * panic leaves behind, with other text before and after. https://pkg.go.dev/runtime/debug#Stack
 *
 * Every goroutine is a sample. Equal stacks are one in the tree; the labels `state` (`chan receive`), `created_by` (the
 * function with the go statement), `wait_minutes` (absent below one), `locked_to_thread`, and those of
 * `runtime/pprof.Do`, if they are printed, tell them apart. The second sample type is the time that was waited, which Go
 * rounds down to minutes. Arguments are left out.
 */
export const goroutineDump: Importer = {
  format,
  recognizes: ({ head }) => headerLine.test(head),
  read: ({ bytes }, options) => readDump(bytes, options),
}

function readDump(bytes: Uint8Array, { maxNodes }: ImportOptions): ImportedProfile {
  const builder = new ProfileBuilder({
    format,
    sampleTypes: [
      { type: 'goroutine', unit: 'count' },
      { type: 'wait', unit: 'seconds' },
    ],
    maxNodes,
  })
  let goroutine: Goroutine | undefined
  let elidedCount = 0
  let stacklessCount = 0
  const finish = () => {
    if (goroutine === undefined) return
    finishCall(goroutine)
    if (goroutine.elided) elidedCount++
    if (goroutine.names.length === 0) stacklessCount++
    addTo(builder, goroutine)
    goroutine = undefined
  }
  for (const line of textLines(bytes, format)) {
    const header = line.startsWith('goroutine ') ? headerPattern.exec(line) : null
    if (header !== null) {
      finish()
      goroutine = newGoroutine(header[1]!, header[2]!)
    } else if (goroutine !== undefined) {
      if (line.trim() === '') finish()
      else readStackLine(line, goroutine)
    }
  }
  finish()
  const warnings: string[] = []
  if (elidedCount > 0) warnings.push(`Go left out the middle of ${elidedCount} deep stacks.`)
  if (stacklessCount > 0) warnings.push(`${stacklessCount} goroutines have no stack.`)
  return builder.finish({ warnings })
}

interface Goroutine {
  labels: (readonly [name: string, value: string])[]
  waitMinutes: number
  /** A call of which the place is not read yet; '' for none. */
  call: string
  /** Innermost first. */
  names: string[]
  files: string[]
  lines: number[]
  createdBy: string
  elided: boolean
}

/** `state` is as in `chan receive, 5 minutes, locked to thread`. */
function newGoroutine(state: string, labels: string): Goroutine {
  const [what = '', ...more] = state.split(', ')
  const minutes = more.map((text) => /^(\d{1,9}) minutes$/.exec(text)?.[1]).find((text) => text !== undefined)
  const goroutine: Goroutine = {
    labels: [['state', what]],
    waitMinutes: Number(minutes ?? 0),
    call: '',
    names: [],
    files: [],
    lines: [],
    createdBy: '',
    elided: false,
  }
  if (minutes !== undefined) goroutine.labels.push(['wait_minutes', minutes])
  if (more.includes('locked to thread')) goroutine.labels.push(['locked_to_thread', 'true'])
  goroutine.labels.push(...goLabels(labels))
  return goroutine
}

/** Either `main.(*Server).serve(0xc0000, ...)`, or where that is: `	/src/main.go:142 +0x1b`. */
function readStackLine(line: string, goroutine: Goroutine): void {
  if (line.startsWith('\t')) {
    // Of C there may be no place, and of where a goroutine was created there is no call.
    const place = /^\t(.+):(\d{1,9})(?: \+0x[0-9a-f]+)?(?: [fp][pc]=.*)?\s*$/.exec(line)
    if (goroutine.call !== '') addFrame(goroutine, place?.[1] ?? '', Number(place?.[2] ?? 0))
    return
  }
  finishCall(goroutine)
  const creator = /^created by (.{1,2000}?)(?: in goroutine \d+)?\s*$/.exec(line)?.[1]
  if (creator !== undefined) goroutine.createdBy = creator
  else if (/frames elided\.\.\.\s*$/.test(line)) goroutine.elided = true
  else if (!line.startsWith('[')) goroutine.call = line.trimEnd()
}

/** Without a place only what has arguments is a call; other lines are of what printed the dump: `exit status 2`. */
function finishCall(goroutine: Goroutine): void {
  if (goroutine.call.endsWith(')')) addFrame(goroutine, '', 0)
  goroutine.call = ''
}

function addFrame(goroutine: Goroutine, file: string, line: number): void {
  goroutine.names.push(withoutArguments(goroutine.call))
  goroutine.files.push(file)
  goroutine.lines.push(line)
  goroutine.call = ''
}

/** The last brackets are the arguments; those before them are of the name: `main.(*T).run(...)`. */
function withoutArguments(call: string): string {
  const open = call.endsWith(')') ? call.lastIndexOf('(') : -1
  return open > 0 ? call.slice(0, open) : call
}

function addTo(builder: ProfileBuilder, goroutine: Goroutine): void {
  const { names, files, lines, createdBy, waitMinutes } = goroutine
  const labels: LabelSet =
    createdBy === '' ? goroutine.labels : [...goroutine.labels, ['created_by', createdBy] as const]
  const functionIndexes = names.map((name, index) => builder.functions.intern(name, files[index]))
  builder.addStack(
    { functionIndexes: functionIndexes.toReversed(), lines: lines.toReversed(), depth: names.length },
    [1, waitMinutes * 60],
    { labelSet: builder.labelSet(labels) },
  )
}
