import type { Random } from './random.ts'

const wordsMax = 400

/** Real files by format, of which inputs are made. */
export class Originals {
  readonly #filesByFormat: ReadonlyMap<string, readonly Uint8Array[]>
  readonly #wordsByFormat = new Map<string, readonly string[]>()

  constructor(filesByFormat: ReadonlyMap<string, readonly Uint8Array[]>) {
    this.#filesByFormat = filesByFormat
    for (const [format, files] of filesByFormat) {
      if (files.length === 0) throw new Error(`There is no sample of ${format}`)
      this.#wordsByFormat.set(format, wordsOf(files))
    }
  }

  count(format: string): number {
    return this.#filesByFormat.get(format)?.length ?? 0
  }

  /** Small ones more often, because a change of them is more often one of something that matters. */
  pick(format: string, random: Random): Uint8Array {
    const files = this.#filesByFormat.get(format) ?? []
    const [one, two] = [random.pick(files), random.pick(files)]
    return one.length < two.length ? one : two
  }

  pickAny(random: Random): Uint8Array {
    return this.pick(random.pick([...this.#filesByFormat.keys()]), random)
  }

  words(format: string): readonly string[] {
    return this.#wordsByFormat.get(format) ?? []
  }
}

/** Names and punctuated words that are there most often, which are those of the format and not of one program. */
function wordsOf(files: readonly Uint8Array[]): string[] {
  const counts = new Map<string, number>()
  for (const bytes of files) {
    const text = Buffer.from(bytes).toString('latin1')
    const words = new Set(text.match(/"?[A-Za-z_@#$][\w.:@#$/-]{1,40}"?:?=?/g) ?? [])
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  }
  return [...counts]
    .toSorted(([, one], [, two]) => two - one)
    .slice(0, wordsMax)
    .map(([word]) => word)
}
