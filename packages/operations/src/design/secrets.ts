import { Problem, type Caller } from '@flamegate/contract'
import type { Deps } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'

const secretCharactersMax = 10_000

/** A secret's value as it is stored: it opens for this project and no other. @throws Problem `invalid_input` */
export async function sealSecret(
  { sealing }: Pick<Deps, 'sealing'>,
  project: { id: string; workspaceId: string },
  value: string | undefined,
  field: string,
): Promise<string> {
  if (value === undefined || value === '' || value.length > secretCharactersMax) {
    throw new Problem('invalid_input', `A secret needs a value: look at ${field}.`, {
      errors: [{ field, message: `Give 1 to ${secretCharactersMax} characters.` }],
    })
  }
  return sealing.seal(value, project)
}

/** Whether it is a secret variable that waits for its value, as an import leaves it. */
export function isUnsetSecret({
  document,
  hasSecret,
}: Pick<DesignObject, 'document' | 'hasSecret'>): boolean {
  return document['type'] === 'secret' && !hasSecret
}

/** Values of all secrets of a project, by the names of their variables, for whoever runs its virtual users. */
export async function openSecrets(
  { caller, deps }: { caller: Caller; deps: Pick<Deps, 'stores' | 'sealing'> },
  projectId: string,
): Promise<ReadonlyMap<string, string>> {
  const sealed = await deps.stores.designs.readSecrets(caller, projectId)
  const opened = [...sealed].map(
    async ([name, value]) => [name, await deps.sealing.open(value, projectId)] as const,
  )
  return new Map(await Promise.all(opened))
}
