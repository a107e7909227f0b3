/** Profiles that cannot be held against each other. The message says why. */
export class CannotCompareError extends Error {
  override readonly name = 'CannotCompareError'
}
