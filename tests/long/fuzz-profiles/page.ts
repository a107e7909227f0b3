import { inputMsMax } from '../fuzzing/finding.ts'
import type { ImporterResult } from '../fuzzing/importer-result.ts'
import { inputBytesMax } from '../fuzzing/mutation.ts'
import { seen } from '../fuzzing/table.ts'
import { processBytesMax } from './subject.ts'
import { decompressedBytesMax } from './wrapper-mutations.ts'

const mebibyte = 1024 * 1024

/** docs/benchmarks/fuzz-profiles.md */
export function fuzzPage(results: readonly ImporterResult[], seed: number): string {
  return `# Importers of profiles, fuzzed

Whether an importer can be made to hang, to take too much memory, or to fail with anything but the error that says what is
wrong with the file. Each importer reads inputs that are made of real files of its format: up to five changes to bytes,
lengths, counts and varints; parts and lines cut, moved, doubled, or repeated up to twenty thousand times; numbers, ids and
words exchanged for others of the same file or for absurd ones; JSON values of other types, nested up to 100,000 deep, ids
that make cycles; words of the format where they do not belong; two files spliced; and one of a hundred wrapped: gzip in gzip,
damaged, of several members, bombs, many zstd frames. Every second time the format has to be found out first.

An input of at most ${inputBytesMax / mebibyte} MiB (${decompressedBytesMax / mebibyte} MiB decompressed) has to become, within ${inputMsMax / 1000} s of processor time and in a process that stays below
${processBytesMax / mebibyte} MiB with a JavaScript heap of 512 MiB, a profile with finite values and columns that fit, or a \`FormatError\`. One
of four profiles is encoded as it would be stored, decoded, and summarised. What takes longer is read three times, and the
quickest counts.

    npm run long -- fuzz-profiles --seed ${seed}

${seen(results, seed)}`
}
