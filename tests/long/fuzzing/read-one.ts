import { readFileSync } from 'node:fs'
import { z } from 'zod'
import { measuredOutcome } from './measured.ts'
import { Random, seedOf } from './random.ts'
import type { Input, Subject } from './subject.ts'

/**
 * All of a process that reads one file as the input of that number would be read, and says what is wrong with it, if anything:
 * `read-one.ts <file> <format> <seed> <number>`.
 */
export async function readOne<Each extends Input>(subject: Subject<Each>): Promise<void> {
  const [path, format, seed, number] = z
    .tuple([z.string(), z.enum(subject.formats), z.string(), z.string()])
    .parse(process.argv.slice(2))
  const input = subject.makeInput(
    subject.originals(),
    format,
    new Random(seedOf(`${seed} ${format} ${number}`)),
  )
  const bytes = new Uint8Array(readFileSync(path))
  const { problem, refusal, cpuMs } = await measuredOutcome(subject, { ...input, bytes }, format)
  console.log(problem ?? refusal ?? 'It was read.')
  console.log(
    `${cpuMs.toFixed(0)} ms, ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MiB${input.how === '' ? '' : `, ${input.how}`}`,
  )
  if (problem !== undefined) process.exitCode = 1
}
