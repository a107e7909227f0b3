import { FormatError } from './format-error.ts'

/** A file of an archive. */
export interface TarFile {
  name: string
  bytes: Uint8Array
}

const blockBytes = 512
/** Files, folders and whatever else has a header. */
const entriesMax = 50_000
/** Longer names are no longer those of files. */
const longestName = 1024

/** Whether it begins as a tar archive of POSIX or GNU does: the magic, and a header whose sum is right. */
export function isTar(bytes: Uint8Array): boolean {
  return bytes.length >= blockBytes && text(bytes, 257, 5) === 'ustar' && hasRightSum(bytes.subarray(0, 512))
}

/**
 * The files of a tar archive, without copying them. Long names are those of pax (`path`) or GNU (`L`); folders, links and
 * devices are passed over. https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 *
 * @throws FormatError when it is damaged or cut off, or has too many entries
 */
export function readTar(bytes: Uint8Array): TarFile[] {
  const files: TarFile[] = []
  let longName: string | undefined
  let entryCount = 0
  for (let at = 0; at + blockBytes <= bytes.length;) {
    const header = bytes.subarray(at, at + blockBytes)
    // Two blocks of zeros end an archive.
    if (header.every((byte) => byte === 0)) break
    if (++entryCount > entriesMax) throw new FormatError(`the archive has more than ${entriesMax} entries`)
    const where = `byte ${at}`
    if (!hasRightSum(header)) throw new FormatError('the tar archive is damaged', { where })
    const size = octal(header, 124, 12)
    const start = at + blockBytes
    if (!(size <= bytes.length - start)) throw new FormatError('the tar archive is cut off', { where })
    const content = bytes.subarray(start, start + size)
    const type = text(header, 156, 1)
    if (type === 'x') longName = paxPath(content)
    else if (type === 'L') longName = text(content, 0, content.length)
    else {
      if (type === '0' || type === '') files.push({ name: longName ?? shortName(header), bytes: content })
      longName = undefined
    }
    at = start + Math.ceil(size / blockBytes) * blockBytes
  }
  return files
}

function shortName(header: Uint8Array): string {
  const name = text(header, 0, 100)
  const prefix = text(header, 257, 6) === 'ustar' ? text(header, 345, 155) : ''
  return prefix === '' ? name : `${prefix}/${name}`
}

const space = 0x20
const zero = 0x30
const pathKey = Buffer.from('path=')

/** Records are `<length> key=value\n`. Read byte by byte: a hostile file may have a hundred million of them. */
function paxPath(content: Uint8Array): string | undefined {
  for (let at = 0; at < content.length;) {
    let length = 0
    let digitsEnd = at
    for (; isDigit(content[digitsEnd]); digitsEnd++) length = 10 * length + content[digitsEnd]! - zero
    const key = digitsEnd + 1
    const isRecord = content[digitsEnd] === space && at + length > key
    if (!isRecord) return undefined
    const value = key + pathKey.length
    const isPath = pathKey.every((code, index) => content[key + index] === code)
    if (isPath) return text(content, value, at + length - 1 - value)
    at += length
  }
  return undefined
}

function isDigit(code: number | undefined): boolean {
  return code !== undefined && code >= zero && code < zero + 10
}

/** The sum of all bytes of a header, in which that of the sum itself counts as spaces. */
function hasRightSum(header: Uint8Array): boolean {
  let sum = 8 * 0x20
  for (let index = 0; index < blockBytes; index++) if (index < 148 || index >= 156) sum += header[index]!
  return octal(header, 148, 8) === sum
}

/** NaN for what is no number of digits; larger ones than 8 GiB are written otherwise, and not read here. */
function octal(bytes: Uint8Array, start: number, length: number): number {
  const digits = text(bytes, start, length).trim()
  return /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN
}

/** What is there up to a NUL. */
function text(bytes: Uint8Array, start: number, length: number): string {
  const part = bytes.subarray(start, start + Math.min(length, longestName))
  const end = part.indexOf(0)
  return new TextDecoder().decode(end < 0 ? part : part.subarray(0, end))
}
