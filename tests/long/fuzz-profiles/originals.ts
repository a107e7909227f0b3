import { gunzipSync } from 'node:zlib'
import { detectProfileFormat, profileFormats, type ProfileFormat } from '@flamegate/profiles'
import { fixture, fixturePaths } from '../../../packages/profiles/src/testing/fixtures.ts'
import { sample, samplePaths } from '../../../packages/profiles/src/testing/samples.ts'
import type { Random } from './random.ts'

/** Larger files take longer to read and are not more different inside. */
const originalBytesMax = 300_000
const wordsMax = 400

/** Real files by format, decompressed: the samples, and what `FLAMEGATE_FIXTURES` has that is small. */
export class Originals {
  private readonly byFormat = new Map<ProfileFormat, Uint8Array[]>()
  private readonly wordsByFormat = new Map<ProfileFormat, string[]>()

  constructor() {
    const files = [...samplePaths().map(sample), ...fixturePaths('.').map(fixture)]
    for (const file of files) {
      const bytes = decompressed(file)
      if (bytes.length === 0 || bytes.length > originalBytesMax) continue
      const format = formatOf(bytes)
      if (format !== undefined) this.byFormat.set(format, [...(this.byFormat.get(format) ?? []), bytes])
    }
    for (const format of profileFormats) {
      if (!this.byFormat.has(format)) throw new Error(`There is no sample of ${format}`)
      this.wordsByFormat.set(format, wordsOf(this.byFormat.get(format) ?? []))
    }
  }

  count(format: ProfileFormat): number {
    return this.byFormat.get(format)?.length ?? 0
  }

  /** Small ones more often, because a change of them is more often one of something that matters. */
  pick(format: ProfileFormat, random: Random): Uint8Array {
    const files = this.byFormat.get(format) ?? []
    const [one, two] = [random.pick(files), random.pick(files)]
    return one.length < two.length ? one : two
  }

  pickAny(random: Random): Uint8Array {
    return this.pick(random.pick(profileFormats), random)
  }

  words(format: ProfileFormat): readonly string[] {
    return this.wordsByFormat.get(format) ?? []
  }
}

function decompressed(bytes: Uint8Array): Uint8Array {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes
  try {
    return gunzipSync(bytes, { maxOutputLength: originalBytesMax })
  } catch {
    return new Uint8Array()
  }
}

function formatOf(bytes: Uint8Array): ProfileFormat | undefined {
  try {
    return detectProfileFormat(bytes)
  } catch {
    return undefined
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
