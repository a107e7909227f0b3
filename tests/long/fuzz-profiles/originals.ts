import { gunzipSync } from 'node:zlib'
import { detectProfileFormat, profileFormats, type ProfileFormat } from '@flamegate/profiles'
import { fixture, fixturePaths } from '../../../packages/profiles/src/testing/fixtures.ts'
import { sample, samplePaths } from '../../../packages/profiles/src/testing/samples.ts'
import { Originals } from '../fuzzing/originals.ts'

/** Larger files take longer to read and are not more different inside. */
const originalBytesMax = 300_000

/** Real profiles by format, decompressed: the samples, and what `FLAMEGATE_FIXTURES` has that is small. */
export function profileOriginals(): Originals {
  const byFormat = new Map<string, Uint8Array[]>(profileFormats.map((format) => [format, []]))
  for (const file of [...samplePaths().map(sample), ...fixturePaths('.').map(fixture)]) {
    const bytes = decompressed(file)
    if (bytes.length === 0 || bytes.length > originalBytesMax) continue
    const format = formatOf(bytes)
    if (format !== undefined) byFormat.get(format)?.push(bytes)
  }
  return new Originals(byFormat)
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
