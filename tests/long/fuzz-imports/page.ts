import { inputMsMax } from '../fuzzing/finding.ts'
import type { ImporterResult } from '../fuzzing/importer-result.ts'
import { inputBytesMax } from '../fuzzing/mutation.ts'
import { seen } from '../fuzzing/table.ts'
import { moreBytesMax } from './subject.ts'

const mebibyte = 1024 * 1024

/** docs/benchmarks/fuzz-imports.md */
export function fuzzPage(results: readonly ImporterResult[], seed: number): string {
  return `# Importers of virtual users, fuzzed

Whether an importer can be made to hang, to take too much memory, to lose something without a word, to aim requests at hosts
that nobody verified, or to fail with anything but the error that says what is wrong with the source. Each importer reads inputs
that are made of sources of its format, up to five changes to each: bytes, lines, words and numbers exchanged, cut, moved and
repeated; JSON values of other types, nested up to 100,000 deep, folders in folders; in the texts of JSON, and in scripts, brackets
in brackets, long chains, long lines, loops without end, addresses and patterns that are none; in XML document types with
entities that expand or fetch, elements in elements, properties with expressions that do not end; aliases of YAML that
multiply; in ZIP files changed documents that are packed again, paths that lead out, headers that lie, entries that overlap,
and bombs. Options of the import are chosen at random, and the bytes come in pieces.

An input of at most ${inputBytesMax / mebibyte} MiB has to become, within ${inputMsMax / 1000} s of processor time, in a process that grows by at most ${moreBytesMax / mebibyte} MiB and has a
JavaScript heap of 512 MiB, documents that their schemas allow, with ids that are there once and names of servers that are there,
and a report in which whatever was not mapped has a reason; or a \`SourceError\`. For HAR, JMX, Selenium IDE, WebDriver, URL lists
and archives the elements are counted a second time, without the importer. What takes longer is read three times, and the
quickest counts.

    npm run long -- fuzz-imports --seed ${seed}

${seen(results, seed)}`
}
