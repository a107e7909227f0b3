import { newId } from '@flamegate/contract'

/** The workspace that a person starts with: called after them, with a short address that nobody else has. */
export function firstWorkspace(userName: string): { id: string; slug: string; name: string } {
  const id = newId('workspace')
  const words = userName
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 30)
    .replaceAll(/^-+|-+$/g, '')
  // The end of an id is random: 40 bits are enough among people of the same name.
  return { id, slug: `${words || 'team'}-${id.slice(-8)}`, name: `${userName}’s workspace` }
}
