import type { MasterKeys } from '@flamegate/operations/ports'

/** A key of `oauth_keys` as it is stored: wrapped, or as it is where no master key was set when it was made. */
export type Secret = Record<string, unknown>

const aboutOf = (kind: string) => `oauth_keys/${kind}`

export async function wrapSecret(masterKeys: MasterKeys, kind: string, secret: Secret): Promise<Secret> {
  return { wrapped: await masterKeys.wrap(Buffer.from(JSON.stringify(secret)), aboutOf(kind)) }
}

export async function openSecret(masterKeys: MasterKeys, kind: string, stored: Secret): Promise<Secret> {
  const { wrapped } = stored
  if (typeof wrapped !== 'string') return stored
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what `wrapSecret` made
  return JSON.parse((await masterKeys.unwrap(wrapped, aboutOf(kind))).toString()) as Secret
}
