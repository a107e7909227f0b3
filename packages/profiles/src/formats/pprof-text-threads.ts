import { hiddenFrames } from './pprof-text-hidden.ts'
import { firstLine, type LineCursor } from './pprof-text-lines.ts'
import { isMemoryMapStart } from './pprof-text-mappings.ts'
import { AddressProfile, dropDoubledLeaves } from './pprof-text-profile.ts'
import { readMemoryMap } from './pprof-text-rows.ts'
import { quote } from './text.ts'

const threadPattern = /^--- Thread [0-9a-fA-F]{1,16} \(name: (.{0,200})\/\d{1,19}\) stack: ---/

export function isThreadText(head: string): boolean {
  const line = firstLine(head)
  return /^--- threadz \d+ ---/.test(line) || threadPattern.test(line)
}

/** The stacks of the threads of a process: `--- threadz 1 ---`. Names of functions, if any, are those of the file. */
export function readThreads(cursor: LineCursor): AddressProfile {
  const profile = new AddressProfile([{ type: 'thread', unit: 'count' }], hiddenFrames.profiler)
  cursor.skipComments()
  while (cursor.line !== undefined && !isMemoryMapStart(cursor.line) && !threadPattern.test(cursor.line))
    cursor.next()
  while (cursor.line !== undefined && !isMemoryMapStart(cursor.line)) {
    if (cursor.line.startsWith('---- no stack trace for')) break
    const name = threadPattern.exec(cursor.line)?.[1]
    if (name === undefined) throw cursor.refuse(`expected a thread, found ${quote(cursor.line)}`)
    readThread(cursor, profile, name)
  }
  readMemoryMap(cursor, profile)
  dropDoubledLeaves(profile)
  return profile
}

/** Leaves the cursor on the line after the thread. */
function readThread(cursor: LineCursor, profile: AddressProfile, name: string): void {
  const stack: number[] = []
  let isSame = false
  while (cursor.next() !== undefined) {
    const text = cursor.line!.trim()
    if (text.startsWith('---')) break
    if (text.includes('same as previous thread')) isSame = true
    const functionName = /^(?:PC:\s+)?0x[0-9a-f]{1,16}: (.+)$/.exec(text)?.[1]
    for (const address of cursor.addresses(text)) {
      // The innermost one is where the thread is; the others are where it will return to.
      const location = profile.locationOf(address, { isReturn: stack.length > 0 })
      if (functionName !== undefined) profile.names[location] ??= { name: functionName, file: '', line: 0 }
      stack.push(location)
    }
  }
  const last = profile.samples.at(-1)
  const isRepeated = isSame || stack.length === 0
  if (isRepeated && last === undefined) return
  profile.add({ stack: isRepeated ? last!.stack : stack, values: [1], labels: [['thread', name]] })
}
