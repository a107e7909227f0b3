import type { AnyFunction } from '../profiler.ts'

/** Gives one object another method in place of its class's, as hidden as that was. Where it has none, it gets none. */
export function override(target: object, method: string, make: (original: AnyFunction) => AnyFunction): void {
  const original: AnyFunction | null | undefined = Reflect.get(target, method)
  if (typeof original === 'function')
    Object.defineProperty(target, method, { value: make(original), writable: true, configurable: true })
}
