import type { V8Code } from './v8-log-ticks.ts'

/**
 * The function of code as V8 names it, without what it says of how it was compiled, so that it is the same function as in a
 * `.cpuprofile`:
 *
 *     js       `parse file:///app/main.mjs:12:3`      name, script, line and column; the name may be empty
 *     library  `/usr/lib/libc.so.6`                   is `[libc.so.6]`
 *     native   `T uv__io_poll`                        a symbol with or without its kind as `nm` writes it
 *     stub     `Builtin: ArrayMap`
 */
export function parseV8Name({ kind, name }: V8Code): { name: string; file: string; startLine: number } {
  if (kind === 'stub') return { name, file: '', startLine: 0 }
  if (kind === 'library') {
    const base = name.slice(name.lastIndexOf('/') + 1)
    // What the kernel maps has such a name already: `[vdso]`.
    return { name: base.startsWith('[') ? base : `[${base}]`, file: name, startLine: 0 }
  }
  if (kind === 'native') {
    const symbol = name.replace(/^[tTwW] /, '')
    // Built into the binary as functions of their own.
    const builtin = symbol.startsWith('Builtins_') ? `Builtin: ${symbol.slice('Builtins_'.length)}` : symbol
    return { name: builtin || '[unknown]', file: '', startLine: 0 }
  }
  const place = /:(\d+)(?::\d+)?$/.exec(name)
  const text = place === null ? name : name.slice(0, place.index)
  const space = scriptStart(text)
  return {
    name: (space === -1 ? text : text.slice(0, space)) || '(anonymous)',
    file: space === -1 ? '' : text.slice(space + 1),
    startLine: place === null ? 0 : Number(place[1]),
  }
}

/** The space before the script. Names (`get size`) and paths may hold spaces, too. */
function scriptStart(text: string): number {
  const beforePath = text.search(/ (?:\/|[A-Za-z]:\\|[a-z][a-z+.-]*:)/)
  return beforePath === -1 ? text.lastIndexOf(' ') : beforePath
}
