// A process that reads one input and says what is wrong with it, if anything: `read-one.ts <file> <format> <told|untold>`.
import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { profileFormats } from '@flamegate/profiles'
import { outcomeOf } from './outcome-of.ts'

const [path, format, told] = z
  .tuple([z.string(), z.enum(profileFormats), z.enum(['told', 'untold'])])
  .parse(process.argv.slice(2))
const bytes = new Uint8Array(readFileSync(path))
const { problem, refusal, cpuMs } = outcomeOf({ bytes, isTold: told === 'told', isStored: true }, format)
console.log(problem ?? refusal ?? 'a profile')
console.log(`${cpuMs.toFixed(0)} ms`)
if (problem !== undefined) process.exitCode = 1
