// Damaged, absurd and hostile files for every importer of profiles, 100,000 each: every one is read or refused, within
// limits of time and memory. What is not is told with its number, and as a smaller file.
//
//     npm run long -- fuzz-profiles [--inputs 100000] [--seed 1] [--only jfr,pprof] [--readers 2] [--resume file]
//
// It takes an hour or two: with --resume what was found of each format is kept in a file, and not done again.
import { join } from 'node:path'
import { fuzzPage } from './fuzz-profiles/page.ts'
import { profileImporters } from './fuzz-profiles/subject.ts'
import { runFuzz } from './fuzzing/run-fuzz.ts'

await runFuzz(profileImporters, {
  path: join(import.meta.dirname, '../../docs/benchmarks/fuzz-profiles.md'),
  inputsMin: 100_000,
  write: fuzzPage,
})
