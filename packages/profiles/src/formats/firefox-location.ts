import type { FirefoxFunction } from './firefox-thread.ts'

export interface FirefoxLibrary {
  start: number
  end: number
  name: string
  path: string
}

/**
 * What a frame of Firefox says of its function in one text:
 *
 *     parse (https://example.org/app.js:12:3)[5]      JavaScript: name, file, line of the function
 *     https://example.org/app.js:1:1                  the top level of a script
 *     nsTimer::Fire (in XUL) + 12                     native, with symbols
 *     0x7fff7d962da1                                  native, without
 *     nsObserverService::NotifyObservers idle         a label
 *
 * As in the Firefox profiler: src/profile-logic/process-profile.ts in https://github.com/firefox-devtools/profiler
 */
export function parseLocation(location: string, libraries: readonly FirefoxLibrary[]): FirefoxFunction {
  if (location.startsWith('0x')) return unknownFunction(libraryAt(Number(location), libraries))
  const open = location.lastIndexOf(' (')
  if (open === -1) return parseScript(location) ?? label(location)
  const close = location.lastIndexOf(')')
  const name = location.slice(0, open)
  const inside = location.slice(open + 2, close)
  if (close < open) return label(location)
  if (inside.startsWith('in ')) return { name, file: inside.slice(3), startLine: 0, startColumn: 0 }
  const place = /^(\[\d+\])?$/.test(location.slice(close + 1)) ? splitPlace(inside) : undefined
  return place === undefined ? label(location) : { name, ...place }
}

/** A native function without a symbol is told by its binary, as in pprof. */
export function unknownFunction(library: { name: string; path: string } | undefined): FirefoxFunction {
  if (library === undefined) return { name: '[unknown]', file: '', startLine: 0, startColumn: 0 }
  const file = library.path || library.name
  return { name: `[${file.slice(file.lastIndexOf('/') + 1)}]`, file, startLine: 0, startColumn: 0 }
}

function label(name: string): FirefoxFunction {
  return { name: name || '(unnamed)', file: '', startLine: 0, startColumn: 0 }
}

function parseScript(location: string): FirefoxFunction | undefined {
  const place = splitPlace(location.replace(/\[\d+\]$/, ''))
  return place && { name: `(root scope) ${place.file}`, ...place }
}

/** Scripts that load others are told as `a -> b`. */
export function lastLoaded(chain: string): string {
  const arrow = chain.lastIndexOf(' -> ')
  return arrow === -1 ? chain : chain.slice(arrow + 4)
}

/** `file:line` or `file:line:column`. */
function splitPlace(text: string): Omit<FirefoxFunction, 'name'> | undefined {
  const end = /:(\d+)(?::(\d+))?$/.exec(text)
  if (end === null || end.index === 0) return undefined
  return {
    file: lastLoaded(text.slice(0, end.index)),
    startLine: Number(end[1]),
    startColumn: Number(end[2] ?? 0),
  }
}

/** `libraries` are ordered by `start`. */
function libraryAt(address: number, libraries: readonly FirefoxLibrary[]): FirefoxLibrary | undefined {
  let low = 0
  let high = libraries.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (libraries[middle]!.start <= address) low = middle + 1
    else high = middle
  }
  const library = libraries[low - 1]
  return library !== undefined && address < library.end ? library : undefined
}
