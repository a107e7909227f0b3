/** A part of memory that a file was loaded into. */
export interface Mapping {
  start: bigint
  /** The first address behind it. */
  limit: bigint
  offset: bigint
  file: string
  buildId: string
}

const hex = '(?:0x)?([0-9a-fA-F]{1,16})'
const range = `^\\s{0,20}${hex}[\\s-]?\\s{0,20}${hex}:?`
const permissions = '(?:\\s{1,20}([-rwxp]{1,10}))?'
const file = '(?:\\s{1,80}(\\S+))?'
/** `00400000-00fcb000 r-xp 00000000 08:01 1234 /bin/server`, as in /proc/self/maps. */
const procMap = new RegExp(
  `${range}${permissions}(?:\\s{1,20}([0-9a-fA-F]{1,16}))?\\s{1,20}[0-9a-fA-F]{1,8}:[0-9a-fA-F]{1,8}\\s{1,20}\\d{1,20}${file}`,
)
/** `00400000-00fcb000: /bin/server (@ff00) abc123`. */
const briefMap = new RegExp(
  `${range}${permissions}${file}(?:\\s{1,20}\\(@([0-9a-fA-F]{1,16})\\))?(?:\\s{1,20}([0-9a-fA-F]{1,80}))?`,
)
const longestLine = 4096

export function isMemoryMapStart(line: string): boolean {
  return line.includes('--- Memory map: ---') || line.includes('MAPPED_LIBRARIES:')
}

/**
 * Reads the lines of a memory map, those of code. `build=/path` before them sets what `$build` in them stands for. Lines that
 * are something else are skipped, as in google/pprof.
 */
export class MemoryMap {
  readonly mappings: Mapping[] = []
  private readonly attributes: [name: string, value: string][] = []

  addLine(line: string): void {
    if (line.length > longestLine) return
    // What glog puts before its lines: `I0101 12:00:00.0 12 file.cc:34] `.
    let text = line.replace(/^[^[\]]{1,200}:\d{1,9}\]\s/, '')
    for (const [name, value] of this.attributes) text = text.replaceAll(name, value)
    const mapping = readMapping(text)
    if (mapping === 'other') {
      const equals = text.indexOf('=')
      if (equals === -1 || this.attributes.length >= 100) return
      this.attributes.push([
        `$${text.slice(0, equals).trim()}`,
        text
          .slice(equals + 1)
          .trim()
          .slice(0, 1000),
      ])
    } else if (mapping !== undefined) this.mappings.push(mapping)
  }
}

/** Undefined when it is not of code. */
function readMapping(text: string): Mapping | undefined | 'other' {
  const [, procStart, procLimit, procPermissions, procOffset, procFile] = procMap.exec(text) ?? []
  const [, start, limit, briefPermissions, briefFile, briefOffset, buildId = ''] =
    procStart === undefined ? (briefMap.exec(text) ?? []) : [undefined, procStart, procLimit]
  if (start === undefined || limit === undefined) return 'other'
  const rights = procPermissions ?? briefPermissions
  if (rights !== undefined && !rights.includes('x')) return undefined
  return {
    start: BigInt(`0x${start}`),
    limit: BigInt(`0x${limit}`),
    offset: BigInt(`0x${procOffset ?? briefOffset ?? '0'}`),
    file: procFile ?? briefFile ?? '',
    buildId,
  }
}

/**
 * Per address, the mapping that it is in, with the same repairs of what profilers used to write as google/pprof makes;
 * undefined where there is none.
 */
export function findMappings(
  given: readonly Mapping[],
  addresses: readonly bigint[],
): (Mapping | undefined)[] {
  const mappings = tidied(given)
  return addresses.map((address) => {
    if (address === 0n) return undefined
    const within = mappings.find(({ start, limit }) => start <= address && address < limit)
    if (within !== undefined) return within
    // Some profilers leave out the first part of what is mapped in several.
    const after = mappings.find(
      ({ start, offset }) => offset !== 0n && start - offset <= address && address < start,
    )
    if (after !== undefined) {
      after.start -= after.offset
      after.offset = 0n
    }
    return after
  })
}

/** Parts of one file that follow each other as one, the program itself first, and where it starts. */
function tidied(given: readonly Mapping[]): Mapping[] {
  const mappings: Mapping[] = []
  for (const mapping of given) {
    const last = mappings.at(-1)
    if (last === undefined || !isContinued(last, mapping)) {
      mappings.push({ ...mapping })
      continue
    }
    last.limit = mapping.limit
    last.file = mapping.file || last.file
    last.buildId = mapping.buildId || last.buildId
  }
  const main = mappings.findIndex(({ file: path }) => {
    const name = path.replaceAll('(deleted)', '').trim()
    return name !== '' && !/([.]so$|[.]so[._][0-9]+)/.test(name) && !name.startsWith('[')
  })
  if (main > 0) [mappings[0], mappings[main]] = [mappings[main]!, mappings[0]!]
  const [first, second] = mappings
  if (first?.file.startsWith('/anon_hugepage') && second?.start === first.limit) mappings.shift()
  const [program] = mappings
  if (program !== undefined && program.start - program.offset === 0x400000n) {
    program.start = 0x400000n
    program.offset = 0n
  }
  return mappings
}

function isContinued(one: Mapping, next: Mapping): boolean {
  if (differ(one.file, next.file) || differ(one.buildId, next.buildId) || one.limit !== next.start)
    return false
  if (one.offset === 0n || next.offset === 0n) return true
  return one.offset + (one.limit - one.start) === next.offset
}

function differ(one: string, other: string): boolean {
  return one !== '' && other !== '' && one !== other
}
