import { FormatError } from './format-error.ts'

const SIZE_BYTES_MAX = 64 * 1024 * 1024

/**
 * UTF-8 bytes to text, or UTF-16 with a byte order mark, as PowerShell writes it. Colours of a terminal and the times that
 * CI puts in front of every line are taken away, and `µs` and `±` are mended where a console of Windows broke them. Refuses what is empty, too large or no text.
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.byteLength > SIZE_BYTES_MAX) {
    throw new FormatError(`The file has ${bytes.byteLength} bytes; at most ${SIZE_BYTES_MAX} are read`)
  }
  const text = mended(withoutTimes(withoutColours(isUtf16(bytes) ? decodeUtf16(bytes) : decodeUtf8(bytes))))
  if (text.trim() === '') throw new FormatError('The file is empty')
  return text
}

const ESCAPE = String.fromCharCode(27)
/** How a terminal is told of colours and the cursor (ECMA-48): escape, `[`, parameters, a letter. */
const CONTROL_SEQUENCE = new RegExp(`${ESCAPE}\\[[0-?]*[ -/]*[@-~]`, 'g')

function withoutColours(text: string): string {
  return text.includes(ESCAPE) ? text.replaceAll(CONTROL_SEQUENCE, '') : text
}

/**
 * `2026-11-21T09:30:00.1234567Z ` in the logs of GitHub Actions; `gh run view --log` has job and step before it, Jenkins
 * brackets around it, and GitLab behind it the number of a stream, `00O `.
 */
const DATE = String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z`
const TIME = String.raw`(?:[^\t\n]+\t[^\t\n]+\t)?\uFEFF?(?:${DATE} (?:[\da-f]{2}[OE] )?|\[${DATE}\] )`
const STARTS_WITH_TIME = new RegExp(`^${TIME}`)
const TIMES = new RegExp(`^${TIME}`, 'gm')
/** With a `+`, GitLab goes on with the line before. */
const CONTINUATIONS = new RegExp(String.raw`\r?\n${DATE} [\da-f]{2}[OE]\+`, 'g')

/** Blanks at the beginning are passed over apart: within the pattern, many of them would take long. */
function withoutTimes(text: string): string {
  if (!STARTS_WITH_TIME.test(text.trimStart())) return text
  return text.replaceAll(CONTINUATIONS, '').replaceAll(TIMES, '')
}

/** `µs`, with the micro sign or the Greek letter, and `±`, as code pages 437, 850 and 1252 show the bytes of their UTF-8. */
const BROKEN_MICROSECONDS = /(?:┬╡|┬Á|Âµ|╬╝|Î¼)s/g
const BROKEN_PLUS_MINUS = /┬▒|Â±/g

function mended(text: string): string {
  return text.replaceAll(BROKEN_MICROSECONDS, 'µs').replaceAll(BROKEN_PLUS_MINUS, '±')
}

/** By its byte order mark. */
export function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)
}

function decodeUtf16(bytes: Uint8Array): string {
  try {
    return new TextDecoder(bytes[0] === 0xff ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes)
  } catch {
    throw new FormatError('The file is not UTF-16 text, as its byte order mark says')
  }
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    const lenient = new TextDecoder('utf-8').decode(bytes)
    const line = lenient.slice(0, lenient.indexOf('\uFFFD')).split('\n').length
    throw new FormatError('The file is not UTF-8 text', line)
  }
}
