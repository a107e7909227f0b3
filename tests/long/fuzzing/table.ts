import { cpus } from 'node:os'
import type { ImporterResult } from './importer-result.ts'

const mebibyte = 1024 * 1024

export function table(results: readonly ImporterResult[]): string {
  return [
    '| format | real files | inputs | read | refused | reasons | slowest | longest input | memory | findings |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...results.map((each) => {
      const cells = [
        each.format,
        each.originals,
        each.inputs.toLocaleString('en'),
        each.read.toLocaleString('en'),
        each.refused.toLocaleString('en'),
        each.refusals,
        `${each.slowestMs.toFixed(0)} ms (${each.slowestNumber})`,
        `${(each.largestBytes / 1024).toFixed(0)} KiB`,
        `${(each.peakBytes / mebibyte).toFixed(0)} MiB`,
        each.findings.length,
      ]
      return `| ${cells.join(' | ')} |`
    }),
  ].join('\n')
}

/** When and where it was seen, and what was seen: the end of a page of docs/benchmarks. */
export function seen(results: readonly ImporterResult[], seed: number): string {
  const total = results.reduce((sum, { inputs }) => sum + inputs, 0)
  return `Seen on ${new Date().toISOString().slice(0, 10)} with seed ${seed}: ${total.toLocaleString('en')} inputs, on a machine with ${cpus().length} cores (${cpus()[0]?.model.trim() ?? 'unknown'}) that may
have had other work.

${table(results)}

"Reasons" are the different sentences with which files were refused, without their names and numbers: how far into the
importers the changes reach. "Memory" is the largest that a process of this importer has been, of which some 150 MiB are the
program and the real files.
`
}
