import type { Random } from './random.ts'

/** What mutations take from besides the input that they change. */
export interface Material {
  /** Another real file: of the same format three times of four. */
  other: Uint8Array
  /** Words of the format's real files, such as names of its fields. */
  words: readonly string[]
}

/** An input made of another, or undefined where this kind of change cannot be made, such as one of JSON to a binary file. */
export type Mutation = (bytes: Uint8Array, random: Random, material: Material) => Uint8Array | undefined

/** What is put in where something is a number, a length, a count or an id. */
export const strangeNumbers = [
  '0',
  '-1',
  '1',
  '0.5',
  '255',
  '65536',
  '2147483647',
  '2147483648',
  '4294967295',
  '9007199254740993',
  '18446744073709551615',
  '-9223372036854775808',
  '99999999999999999999999999999999',
  '1e308',
  '1e999',
  '-1e308',
  '1e-320',
  'NaN',
  'Infinity',
  '0x7fffffff',
  '00000000000000000000000000000000000000000000000001',
] as const

/** Nothing that an importer is given is longer than that, so that time and memory are the importer's own. */
export const inputBytesMax = 1024 * 1024

export function joined(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts).subarray(0, inputBytesMax)
}
