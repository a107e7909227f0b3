import { constants, gunzipSync } from 'node:zlib'

/** Whether a file holds benchmark results or a profile. */
export type FileKind = 'results' | 'profile'

const profileNames =
  /\.(cpuprofile|heapprofile|heapsnapshot|heaptimeline|jfr|pprof|prof|pb|folded|collapsed|speedscope\.json)(\.gz)?$/i

/** Archives, and what CodSpeed's memory instrument writes. */
const resultNames = /\.(tar|tgz|tar\.(gz|zst)|msgpack)$/i

/** So much of a gzip file is looked at, as of others. */
const unpackedBytes = 64 * 1024

/**
 * Tells profiles from benchmark results by the file's name, else by its first bytes, unpacked where they are gzip. Only a profile
 * comes as bytes that are no text; of the text formats it is told by the keys that only it has, or by lines of stacks.
 */
export function fileKind(name: string, head: Uint8Array): FileKind {
  if (resultNames.test(name)) return 'results'
  if (profileNames.test(name)) return 'profile'
  const content = isGzip(head) ? beginningOfGzip(head) : head
  if (content === undefined) return 'profile'
  const text = utf16Of(content) ?? new TextDecoder('utf-8').decode(content)
  if (isBinary(text)) return 'profile'
  if (/^\s*[{[]/.test(text)) return isProfileJson(text) ? 'profile' : 'results'
  return isStacks(text) || isV8Log(text) || isGoText(text) || isReport(text) ? 'profile' : 'results'
}

/** Whether the name alone says that it is a profile. */
export function isProfileName(name: string): boolean {
  return profileNames.test(name)
}

/** By its magic number (RFC 1952). */
function isGzip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b
}

/** What is unpacked so far, as the file goes on; undefined when it is damaged. */
function beginningOfGzip(head: Uint8Array): Uint8Array | undefined {
  try {
    return gunzipSync(head, { finishFlush: constants.Z_SYNC_FLUSH }).subarray(0, unpackedBytes)
  } catch {
    return undefined
  }
}

/** Text with a byte order mark, as Windows PowerShell redirects it to a file; undefined for other bytes. */
function utf16Of(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  return bytes[0] === 0xfe && bytes[1] === 0xff ? new TextDecoder('utf-16be').decode(bytes) : undefined
}

/**
 * By control characters that neither text nor a terminal has. A profile that is a protocol buffer has some: NUL or not, it has
 * the tag of its samples, 0x12.
 */
function isBinary(text: string): boolean {
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code <= 0x06 || (code >= 0x10 && code <= 0x19)) return true
  }
  return false
}

/** A profile of V8, a browser, DHAT, GHC, StackProf or speedscope, or a trace, of which there may be only the beginning. */
function isProfileJson(text: string): boolean {
  return (
    /"(callFrame|dhatFileVersion|traceEvents|preprocessedProfileVersion|breakpadId|markerSchema|resourceProfiles)"\s*:/.test(
      text,
    ) ||
    /"ph"\s*:\s*"[BEXM]"/.test(text) ||
    /^\s*\{\s*"snapshot"\s*:\s*\{\s*"meta"/.test(text) ||
    /"cost_centres"\s*:/.test(text) ||
    (/"mode"\s*:\s*"\w+"/.test(text) && /"missed_samples"\s*:/.test(text)) ||
    /"recording"\s*:\s*\{\s*"displayName"/.test(text) ||
    (/"\$schema"\s*:\s*"[^"]*speedscope/.test(text) && /"(shared|profiles)"\s*:/.test(text))
  )
}

/** As written by `node --prof`. */
function isV8Log(text: string): boolean {
  return /^(v8-version|shared-library),/.test(text)
}

/** What Go gives with `?debug=1` and `?debug=2`, and gperftools. */
function isGoText(text: string): boolean {
  return (
    /^(\s*heap profile: |\S+ profile: total \d+\s|--- (mutex:|contention|heapz |threadz ))/.test(text) ||
    /^goroutine \d+ .*\[.+\].*:\s*$/m.test(text)
  )
}

/** What perf script, Python's cProfile, GHC, pmcstat and Instruments print. */
function isReport(text: string): boolean {
  return (
    /^\S.*\s\d+\.\d{6,9}:.*\n\s+[\da-f]+ .*\)\s*$/m.test(text) ||
    /^\s*ncalls\s+tottime\s+percall\s+cumtime/m.test(text) ||
    /^[^\n]*Time and Allocation Profiling Report/.test(text.trimStart()) ||
    /^@ \S+ \[\d+ samples?\]$/m.test(text) ||
    /^(Weight|Running Time|Bytes Used)\t.*Symbol Names?/.test(text)
  )
}

/** `root;child;leaf 12` on most of the first lines, as written by stackcollapse-*.pl. */
function isStacks(text: string): boolean {
  const lines = text
    .split('\n', 50)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
  const stacks = lines.filter((line) => /^\S.*;.*\S \d+$/.test(line))
  return stacks.length > 0 && stacks.length * 2 >= lines.length
}
