import type { Reader } from './reader.ts'

/** A tool whose output can be read. */
export interface Adapter<Name extends string = string> {
  /** As `submit_benchmark_results` takes it. */
  name: Name
  /** As people call it. */
  title: string
  /** One for each form in which the tool writes; those that recognise more exactly first. */
  readers: readonly [Reader, ...Reader[]]
}

/** Keeps the name as a literal type. */
export function adapter<Name extends string>(definition: Adapter<Name>): Adapter<Name> {
  return definition
}
