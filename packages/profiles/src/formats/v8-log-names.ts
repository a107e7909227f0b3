import type { ScriptFrame } from '../symbols/script-functions.ts'
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
export function parseV8Name({ kind, name }: V8Code): ScriptFrame {
  if (kind === 'stub') return { name, file: '', line: 0, column: 0 }
  if (kind === 'library') {
    const base = name.slice(name.lastIndexOf('/') + 1)
    // What the kernel maps has such a name already: `[vdso]`.
    return { name: base.startsWith('[') ? base : `[${base}]`, file: name, line: 0, column: 0 }
  }
  if (kind === 'native') {
    const symbol = name.replace(/^[tTwW] /, '')
    // Built into the binary as functions of their own.
    const builtin = symbol.startsWith('Builtins_') ? `Builtin: ${symbol.slice('Builtins_'.length)}` : symbol
    return { name: builtin || '[unknown]', file: '', line: 0, column: 0 }
  }
  const place = /:(\d+)(?::(\d+))?$/.exec(name)
  const text = place === null ? name : name.slice(0, place.index)
  const space = scriptStart(text)
  return {
    name: (space === -1 ? text : text.slice(0, space)) || '(anonymous)',
    file: space === -1 ? '' : text.slice(space + 1),
    line: Number(place?.[1] ?? 0),
    column: Number(place?.[2] ?? 0),
  }
}

/** The space before the script. Names (`get size`) and paths may hold spaces, too. */
function scriptStart(text: string): number {
  const beforePath = text.search(/ (?:\/|[A-Za-z]:\\|[a-z][a-z+.-]*:)/)
  return beforePath === -1 ? text.lastIndexOf(' ') : beforePath
}
