import { Problem } from '@flamegate/contract'
import { KeysUnavailable, SecretLost } from './sealing.ts'
import { Conflict, DatabaseInterrupted, DatabaseUnavailable, NotPermitted, OwnerGone } from './stores.ts'

/** What a store refused, in a caller's words; undefined for a defect. */
export function problemOfStore(error: unknown): Problem | undefined {
  if (error instanceof NotPermitted) {
    return new Problem(
      'insufficient_role',
      'Your role in this workspace does not allow this. Ask an admin of it.',
      { cause: error },
    )
  }
  if (error instanceof OwnerGone) {
    return new Problem('not_found', 'What this belongs to was deleted meanwhile. Nothing was done.', {
      cause: error,
    })
  }
  if (error instanceof DatabaseUnavailable) {
    return new Problem(
      'unavailable',
      'The database cannot be reached, or is too busy. Nothing was done. Try again.',
      {
        cause: error.cause,
        retryAfterSeconds: 2,
      },
    )
  }
  if (error instanceof DatabaseInterrupted) {
    return new Problem(
      'unavailable',
      'The database broke this off: it went away, or has no room. Look whether it was done before you try again.',
      { cause: error.cause, retryAfterSeconds: 2 },
    )
  }
  if (error instanceof SecretLost) {
    return new Problem(
      'conflict',
      'A secret that this needs cannot be opened, because its key is gone. Give the secrets of the project and the workspace again.',
      { cause: error },
    )
  }
  if (error instanceof KeysUnavailable) {
    return new Problem('unavailable', 'The keys of secrets cannot be reached. Nothing was done. Try again.', {
      cause: error,
      retryAfterSeconds: 5,
    })
  }
  if (error instanceof Conflict) {
    const field = error.field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    return new Problem('conflict', `There is one with this ${field} already. Choose another.`, {
      cause: error,
      errors: [{ field, message: 'Taken already.' }],
    })
  }
  return undefined
}
