// Whether comparisons of MCP servers can be believed: real servers, the same build and one that is 10 % slower, again and again.
//
//     npm run long -- mcp-regression [--runs 20] [--only turns,sessions]
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { isGoodEnough, pageOf, sectionOf, type Trial } from './mcp-regression/page.ts'
import { sessionsTrial } from './mcp-regression/sessions.ts'
import { turnsTrial } from './mcp-regression/turns.ts'

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '20' }, only: { type: 'string' } },
})
const parts: Record<string, { title: string; trial: (cwd: string, isSlower: boolean) => Promise<Trial> }> = {
  turns: { title: '`regression-check` of two builds, in turns', trial: turnsTrial },
  sessions: {
    title: '`regression-check` of two files of `test --reference --duration 60s`',
    trial: sessionsTrial,
  },
}
const sections: string[] = []
let isGood = true
for (const name of values.only?.split(',') ?? Object.keys(parts)) {
  const part = parts[name]
  if (part === undefined)
    throw new RangeError(`There is no ${name}; there are ${Object.keys(parts).join(', ')}.`)
  const trials: Trial[] = []
  // The same and the slower one take turns, so that both see the machine as it changes.
  for (let run = 0; run < 2 * Number(values.runs); run++) {
    const folder = await mkdtemp(join(tmpdir(), 'flamegate-mcp-regression-'))
    try {
      const trial = await part.trial(folder, run % 2 === 1)
      trials.push(trial)
      console.log(
        `${name} ${run + 1}: ${trial.isSlower ? 'slower' : 'same'}, ${trial.isAlarm ? 'alarm' : 'no alarm'}, ${JSON.stringify(trial)}`,
      )
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  isGood &&= isGoodEnough(trials)
  sections.push(sectionOf(part.title, trials))
  console.log(sections.at(-1))
}
if (!isGood) process.exitCode = 1
if (values.only === undefined) {
  await writeFile(join(import.meta.dirname, '../../docs/benchmarks/mcp-regression.md'), pageOf(sections))
}
