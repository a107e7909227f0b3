import { constants, gunzipSync } from 'node:zlib'

/** The platform reads no larger JSON either. */
export const searchedBytesMax = 128 * 1024 * 1024
const scriptsMax = 20_000

/** Whether a file may be a profile whose scripts have source maps, by its first bytes: JSON, or a log of V8. */
export function mayNameScripts(head: Uint8Array): boolean {
  const text = unpacked(head)?.subarray(0, 200).toString() ?? ''
  return /^\s*([{[]|v8-version,|shared-library,)/.test(text) && !/^\s*\{\s*"snapshot"/.test(text)
}

/**
 * The scripts that the text of a profile names, as it names them: `file:///app/dist/main.js`, `/app/dist/main.js`,
 * `C:\app\dist\main.js`, `https://shop.example/main.js?v=2`. Found by what they look like, so whatever the format is; one too
 * many does no harm.
 */
export function scriptsOfProfile(bytes: Uint8Array): string[] {
  const scripts = new Set<string>()
  const text = unpacked(bytes)?.toString() ?? ''
  for (const [found] of text.matchAll(scriptPattern)) {
    scripts.add(unescaped(found))
    if (scripts.size === scriptsMax) break
  }
  return [...scripts]
}

/** After a quote, parenthesis or space, up to an end or what says the place in it. */
const scriptPattern =
  /(?<=["( ])(?:[a-z][\w+.-]{0,20}:\/\/|\/|[A-Za-z]:(?:\\\\|\/))[^"()\n\r?#]{1,1000}?\.[cm]?jsx?(?:\?[^"()\s#:]{0,200})?(?=[":)])/g

/** What is there of a file, also when its end is not; undefined for what is damaged or too large. */
function unpacked(bytes: Uint8Array): Buffer | undefined {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  try {
    const content = isGzip
      ? gunzipSync(bytes, { maxOutputLength: searchedBytesMax, finishFlush: constants.Z_SYNC_FLUSH })
      : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
    return content.length > searchedBytesMax ? undefined : content
  } catch {
    // For the platform to refuse.
    return undefined
  }
}

/** As JSON writes a text. */
function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return text
  }
}
