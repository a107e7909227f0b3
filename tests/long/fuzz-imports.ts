// Damaged, absurd and hostile sources for every importer of virtual users, 5,000 each: every one is read or refused, within
// limits of time and memory. What is not is told with its number, and as a smaller file.
//
//     npm run long -- fuzz-imports [--inputs 5000] [--seed 1] [--only har,jmx] [--readers 2] [--resume file]
//
// With --resume what was found of each format is kept in a file, and not done again.
import { join } from 'node:path'
import { fuzzPage } from './fuzz-imports/page.ts'
import { sourceImporters } from './fuzz-imports/subject.ts'
import { runFuzz } from './fuzzing/run-fuzz.ts'

await runFuzz(sourceImporters, {
  path: join(import.meta.dirname, '../../docs/benchmarks/fuzz-imports.md'),
  inputsMin: 5000,
  write: fuzzPage,
})
