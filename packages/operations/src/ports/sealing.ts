/** How secrets are kept: sealed with a data key of their workspace, which is wrapped by a master key from outside of the database. */

/** Encrypts what has to be stored and read again. */
export interface Sealing {
  /** What is sealed for one opens for no other. What belongs to a person is of no workspace. */
  seal(plain: string, of: { id: string; workspaceId: string | null }): Promise<string>
  /** @throws SecretLost when its key is gone, Error when it was changed, or was sealed for something else */
  open(sealed: string, id: string): Promise<string>
}

/** Wraps keys, so that the database alone tells no secret. */
export interface MasterKeys {
  /** `about` says which key it is: what is wrapped as one cannot be put in place of another. */
  wrap(key: Uint8Array, about: string): Promise<string>
  /** @throws Error when it was changed, or its master key is not there */
  unwrap(wrapped: string, about: string): Promise<Buffer>
}

/** Nobody can open it any more. */
export class SecretLost extends Error {}

/** The master key cannot be used now, so that nothing can be sealed or opened. */
export class KeysUnavailable extends Error {}

const clear = 'clear..'

/** Where no master key is set, keys lie in the database as they are. */
export const noMasterKeys: MasterKeys = {
  wrap: async (key) => `${clear}${Buffer.from(key).toString('base64url')}`,
  async unwrap(wrapped) {
    if (!wrapped.startsWith(clear))
      throw new Error('Keys in the database are wrapped by a master key, and none is set here.')
    return Buffer.from(wrapped.slice(clear.length), 'base64url')
  },
}

/** What secrets of one workspace, or of people, are sealed with. */
export interface DataKey {
  id: string
  key: Buffer
}

export interface DataKeyStore {
  /** The one that seals; made on first use by `make`, once, whoever comes first. */
  current(workspaceId: string | null, make: () => Buffer): Promise<DataKey>
  /** Also one that only opens. */
  find(id: string): Promise<DataKey | undefined>
}
