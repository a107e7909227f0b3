import { adapter } from '../adapter.ts'
import { memoryResults } from '../codspeed/memory.ts'
import { isMemoryEvents, readMemoryEvents } from '../codspeed/memory-events.ts'
import { isProfileFolder, readProfileFolder } from '../codspeed/profile-folder.ts'
import {
  isRawWalltime,
  isWalltimeResults,
  readRawWalltime,
  readWalltimeResults,
} from '../codspeed/walltime.ts'
import { bytesReader, folderReader, jsonReader, textReader } from '../reader.ts'
import type { Reading } from '../reader.ts'
import { readCallgrind } from '../valgrind/read-callgrind.ts'
import type { WarningList } from '../warning-list.ts'

/** The folder of a run, or any file with results in it: walltime, simulation, memory. */
export const codspeed = adapter({
  name: 'codspeed',
  title: 'CodSpeed',
  readers: [
    jsonReader(isWalltimeResults, readWalltimeResults),
    jsonReader(isRawWalltime, readRawWalltime),
    textReader(isSimulation, readCallgrind),
    bytesReader(isMemoryEvents, readMemory),
    folderReader(isProfileFolder, readProfileFolder),
  ],
})

/** A callgrind.out in which an integration of CodSpeed, or its harness for commands, gave its name. */
function isSimulation(text: string): boolean {
  return (
    text.startsWith('# callgrind format') &&
    /^desc: Trigger: Client Request: Metadata: (\S{0,40}codspeed\S{0,40}|exec-harness) /m.test(text)
  )
}

function readMemory(bytes: Uint8Array, warnings: WarningList): Reading {
  return {
    environment: {},
    results: memoryResults(readMemoryEvents(bytes, 'the file', warnings), [], warnings),
  }
}
