/** The line of `perf script` that a sample begins with. What was not printed is undefined. */
export interface PerfHeader {
  comm: string
  pid: number | undefined
  tid: number
  seconds: number | undefined
  period: number | undefined
  /** As printed, without the colon at its end: `cycles:u`, `sched:sched_switch`; '' when not printed. See `eventOf`. */
  event: string
  /** What follows: the fields of a tracepoint, or where no stacks were recorded, the one frame. */
  rest: string
}

/** One line of a stack. */
export interface PerfFrame {
  /** `[unknown]` when perf did not know it, '' when it was not printed. */
  symbol: string
  /** The binary; '' when not printed, as for inlined functions. */
  binary: string
  isInlined: boolean
}

/** Headers are short; longer lines are something else. */
const longestHeader = 4096
const ids = /^(-?\d+)(?:\/(-?\d+)?)?$/

/**
 * `comm pid/tid [cpu] seconds: period event:`, of which all but the name and an id may be left out by `--fields`. The name may
 * hold spaces.
 */
export function readPerfHeader(line: string): PerfHeader | undefined {
  const tokens = line.slice(0, longestHeader).trim().split(/\s+/)
  const time = tokens.findIndex((token, index) => index > 0 && /^\d{1,15}\.\d{1,9}:$/.test(token))
  return time < 0 ? headerWithoutTime(tokens) : headerWithTime(tokens, time)
}

function headerWithTime(tokens: string[], time: number): PerfHeader | undefined {
  let last = time - 1
  // Between cpu and time, `--fields misc` prints letters.
  if (/^[A-Z][A-Za-z]?$/.test(tokens[last]!)) last--
  if (/^\[\d+\]$/.test(tokens[last] ?? '')) last--
  const process = processOf(tokens, last)
  if (process === undefined) return undefined
  const hasPeriod = /^\d{1,20}$/.test(tokens[time + 1] ?? '')
  const event = time + (hasPeriod ? 2 : 1)
  const hasEvent = tokens[event]?.endsWith(':') === true
  return {
    ...process,
    seconds: Number(tokens[time]!.slice(0, -1)),
    period: hasPeriod ? Number(tokens[time + 1]) : undefined,
    event: hasEvent ? eventOf(tokens[event]!) : '',
    rest: tokens.slice(hasEvent ? event + 1 : event).join(' '),
  }
}

/** `comm pid [cpu] period event:`, to be told from other lines by the event at its end. */
function headerWithoutTime(tokens: string[]): PerfHeader | undefined {
  const event = tokens.findIndex((token, index) => index > 1 && token.length > 1 && token.endsWith(':'))
  if (event < 0) return undefined
  let last = event - 1
  const isPeriod = /^\d{1,20}$/.test(tokens[last]!) && /^(-?\d+(\/-?\d+)?|\[\d+\])$/.test(tokens[last - 1]!)
  const period = isPeriod ? Number(tokens[last--]) : undefined
  if (/^\[\d+\]$/.test(tokens[last]!)) last--
  const process = processOf(tokens, last)
  if (process === undefined) return undefined
  return {
    ...process,
    seconds: undefined,
    period,
    event: eventOf(tokens[event]!),
    rest: tokens.slice(event + 1).join(' '),
  }
}

/**
 * Processors with two kinds of cores have two counters of one event, `cpu_core/cycles/P` and `cpu_atom/cycles/P`: together they are
 * what is `cycles:P` elsewhere. Events that are told by numbers may be others on each kind, and stay apart.
 */
function eventOf(token: string): string {
  return token
    .slice(0, -1)
    .replace(/^cpu_(?:core|atom)\/([a-z][\w.-]*)\/(\w*)$/i, (_, name: string, modifiers: string) =>
      modifiers === '' ? name : `${name}:${modifiers}`,
    )
}

/** The ids end at a token: `12`, `12/13` or `12/`, before which everything is the name. */
function processOf(tokens: string[], last: number): Pick<PerfHeader, 'comm' | 'pid' | 'tid'> | undefined {
  const [, first, second] = ids.exec(tokens[last] ?? '') ?? []
  if (first === undefined) return undefined
  return {
    comm: tokens.slice(0, last).join(' '),
    pid: second === undefined ? undefined : Number(first),
    tid: Number(second ?? first),
  }
}

/**
 * `    55d0 main+0x12 (/usr/bin/app)`, `    55d0 parse (inlined)`: the address, offsets and the binary may be left out. Simpleperf
 * writes a tab after the address.
 */
export function readPerfFrame(line: string): PerfFrame | undefined {
  const text = line.trim()
  const space = text.search(/[ \t]/)
  const hasAddress = isHex(text, space < 0 ? text.length : space)
  const rest = hasAddress ? (space < 0 ? '' : text.slice(space + 1).trimStart()) : text
  // Without an address, what begins with a tab is a frame.
  if (!hasAddress && (text === '' || !line.startsWith('\t'))) return undefined
  const inlined = ' (inlined)'
  if (rest.endsWith(inlined))
    return { symbol: withoutOffset(rest.slice(0, -inlined.length)), binary: '', isInlined: true }
  if (!rest.endsWith(')')) return { symbol: withoutOffset(rest), binary: '', isInlined: false }
  const deleted = rest.endsWith(' (deleted))') ? rest.length - ' (deleted))'.length - 1 : rest.length
  const open = rest.lastIndexOf(' (', deleted) + 1
  // A name without a binary, such as `f(int)`.
  if (open === 0 && !rest.startsWith('('))
    return { symbol: withoutOffset(rest), binary: '', isInlined: false }
  return {
    symbol: withoutOffset(rest.slice(0, open).trimEnd()),
    binary: withoutOffset(rest.slice(open + 1, -1)),
    isInlined: false,
  }
}

/** Where `--fields srcline` says a frame is: `file.c:12`, alone on a line below it; undefined for other lines. */
export function readPerfSourceLine(
  line: string,
): { file: string; line: number; isInlined: boolean } | undefined {
  if (!/^ {2}\S/.test(line)) return undefined
  const isInlined = line.endsWith(' (inlined)')
  const text = (isInlined ? line.slice(0, -' (inlined)'.length) : line).trim()
  const colon = text.lastIndexOf(':')
  // `??:0` and `libc.so.6[28b90]` say that it is not known.
  const isKnown = colon > 0 && !text.startsWith('??') && /^\d{1,9}$/.test(text.slice(colon + 1))
  if (!isKnown)
    return text.endsWith(']') || text.startsWith('??') ? { file: '', line: 0, isInlined } : undefined
  return { file: text.slice(0, colon), line: Number(text.slice(colon + 1)), isInlined }
}

/** Branches, which `--fields brstack` (or brstacksym) prints in a line of their own: `0x4f2/0x510/P/-/-/1 ...`. */
export function isPerfBranchLine(line: string): boolean {
  const [first = ''] = line.slice(0, longestHeader).trim().split(' ', 1)
  return /^[^/]+\/[^/]+\/[MPNX-]\/[X-]\/[A-]\//.test(first)
}

function isHex(text: string, end: number): boolean {
  if (end === 0 || end > 16) return false
  for (let index = 0; index < end; index++) {
    const code = text.charCodeAt(index)
    const isDigit = (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66)
    if (!isDigit) return false
  }
  return true
}

/** Without the `+0x1f` that says where in the function, or in the binary, it is. Simpleperf writes `libc.so[+1f]` for no function. */
function withoutOffset(name: string): string {
  if (/^\S*\[\+[\da-f]{1,16}\]$/.test(name)) return '[unknown]'
  const plus = name.lastIndexOf('+0x')
  return plus > 0 && /^[\da-f]{1,16}$/.test(name.slice(plus + 3)) ? name.slice(0, plus) : name
}
