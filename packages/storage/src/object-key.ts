const wellFormed = /^[A-Za-z0-9][A-Za-z0-9_-]{0,127}\/[A-Za-z0-9][A-Za-z0-9_-]{0,127}$/

/** `<workspaceId>/<fileId>` and nothing else: no dots, no further slashes, so no way out of a folder. */
export function isObjectKey(key: string): boolean {
  return wellFormed.test(key)
}

/** @throws TypeError for a key that no code of ours makes. */
export function checkObjectKey(key: string): void {
  if (!isObjectKey(key)) throw new TypeError(`Not an object key: ${JSON.stringify(key)}`)
}
