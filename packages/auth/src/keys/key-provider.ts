import { KeysUnavailable } from '@flamegate/operations/ports'

/** A key cannot be used or is not there; the message says what to do. */
export class MasterKeyError extends KeysUnavailable {
  override name = 'MasterKeyError'
  readonly isForOperator = true
}

/** Something that has master keys. */
export interface KeyProvider {
  /** What it wraps begins with this. */
  prefix: string
  /** Whether it has the master key of that name. */
  knows(name: string): boolean
  wrap(key: Uint8Array, about: string): Promise<{ name: string; bytes: string }>
  /** @throws Error when it was changed, is about something else, or that master key is not there */
  unwrap(wrapped: { name: string; bytes: string }, about: string): Promise<Buffer>
}
