import { adapter } from '../adapter.ts'
import { isGungraunConsole, readGungraunConsole } from '../gungraun/console.ts'
import {
  isGungraunSummaries,
  isGungraunSummary,
  readGungraunSummaries,
  readGungraunSummary,
} from '../gungraun/summary.ts'
import { jsonReader, textReader } from '../reader.ts'

export const gungraun = adapter({
  name: 'gungraun',
  title: 'Gungraun (iai-callgrind)',
  readers: [
    textReader(isGungraunSummaries, readGungraunSummaries),
    textReader(isGungraunConsole, readGungraunConsole),
    jsonReader(isGungraunSummary, readGungraunSummary),
  ],
})
