import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** Names above this are left as they are: their own size is no longer that of a name. */
const longestMangled = 10_000
const longestName = 65_536
/** Names may refer to parts of themselves, so that each further character can double what they stand for. */
const memoryPages = 256
/** What one profile may ask for. Real names take about 10 µs each; there are such that are made to take half a second. */
const msMax = 2_000
const charactersMax = 2 ** 26

/** `_ZN3foo3barEv`, `__ZN…` on macOS, `_RNvC…` of Rust, `?bar@foo@@YAXXZ` of MSVC. */
const mangled = /^(?:_{1,4}Z[A-Z0-9]|__?R[A-Z0-9]|\?[^@]+@)/

/** The part of https://webassembly.github.io/spec/js-api/ that is used; its types come with those of browsers only. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object, imports: object) => { exports: WasmExports }
  RuntimeError: new () => Error
}
declare const WebAssembly: WebAssemblyApi

interface WasmExports {
  memory: { buffer: ArrayBuffer }
  demangle_any: (start: number, length: number) => [start: number, length: number]
  __wbindgen_malloc: (length: number, alignment: number) => number
  __wbindgen_free: (start: number, length: number, alignment: number) => void
}

/**
 * Says in the words of their language what names stand for that C++ (Itanium, MSVC) and Rust (legacy, v0) compilers wrote:
 * `core::ptr::drop_in_place`, `std::vector<int>::push_back(int const&)`. Rust's hashes go, arguments of templates and
 * generics stay. Other names, and those that cannot be read, are as they were.
 *
 * The demanglers are those of the Firefox profiler, cpp_demangle, msvc-demangler and rustc-demangle, in one WebAssembly module:
 * https://github.com/mstange/gecko-profiler-demangle. A demangler is for one profile.
 */
export class Demangler {
  private exports: WasmExports | undefined
  private msLeft = msMax
  private charactersLeft = charactersMax

  /** Names were left as they are because all together would have taken too long. */
  get isExhausted(): boolean {
    return this.msLeft < 0 || this.charactersLeft < 0
  }

  demangle(name: string): string {
    if (!mangled.test(name) || name.length > longestMangled || this.isExhausted) return name
    const startMs = performance.now()
    const found = this.ask(name)
    this.msLeft -= performance.now() - startMs
    // A name that none of them reads comes back without its first underscore.
    if (found === undefined || found === '' || name.endsWith(found)) return name
    this.charactersLeft -= found.length
    return found
  }

  private ask(name: string): string | undefined {
    this.exports ??= instantiate()
    const { memory, demangle_any, __wbindgen_malloc, __wbindgen_free } = this.exports
    try {
      const bytes = Buffer.from(name)
      const start = __wbindgen_malloc(bytes.length, 1)
      new Uint8Array(memory.buffer).set(bytes, start)
      const [foundStart, foundLength] = demangle_any(start, bytes.length)
      const found =
        foundLength > longestName ? undefined : Buffer.from(memory.buffer, foundStart, foundLength).toString()
      __wbindgen_free(foundStart, foundLength, 1)
      return found
    } catch (error) {
      // Too deep, or out of memory. What is left of the module cannot be used again.
      if (!(error instanceof WebAssembly.RuntimeError)) throw error
      this.exports = undefined
      return undefined
    }
  }
}

let module: object | undefined

function instantiate(): WasmExports {
  module ??= new WebAssembly.Module(withMemoryLimit(readFileSync(modulePath())))
  const glue = { __wbindgen_init_externref_table: () => {} }
  return new WebAssembly.Instance(module, { './index_bg.js': glue }).exports
}

function modulePath(): string {
  const require = createRequire(import.meta.url)
  return require.resolve('gecko-profiler-demangle/index_bg.wasm')
}

/**
 * The module with a largest size of its memory, which it does not have itself.
 * Sections: https://webassembly.github.io/spec/core/binary/modules.html#memory-section
 */
function withMemoryLimit(wasm: Buffer): Uint8Array {
  const memorySection = 5
  let at = 8
  while (wasm[at] !== memorySection) at = sectionAt(wasm, at).end
  const { content, end } = sectionAt(wasm, at)
  // One memory, and the flag that there is a smallest size only.
  if (wasm[content] !== 1 || wasm[content + 1] !== 0) throw new Error('The demangler has another memory')
  const smallest = wasm.subarray(content + 2, end)
  const limited = [1, 1, ...smallest, (memoryPages & 0x7f) | 0x80, memoryPages >> 7]
  return Buffer.concat([
    wasm.subarray(0, at),
    Buffer.from([memorySection, limited.length, ...limited]),
    wasm.subarray(end),
  ])
}

/** Where the content of a section begins and ends; its size is a LEB128 number. */
function sectionAt(wasm: Buffer, at: number): { content: number; end: number } {
  let size = 0
  let next = at + 1
  for (let shift = 0; ; shift += 7) {
    const byte = wasm.readUInt8(next++)
    size |= (byte & 0x7f) << shift
    if (byte < 0x80) return { content: next, end: next + size }
  }
}
