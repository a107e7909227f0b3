import { newId, type Caller } from '@flamegate/contract'
import type { Deps } from './implement.ts'
import type { SharedView, ShareLink } from './ports/index.ts'

/** What a new link is of, and for whom. */
interface NewLink {
  workspaceId: string
  projectId: string
  of: { profileId: string } | { benchReportId: string }
  view?: SharedView
  isPublic: boolean
  expiresAt: Date
}

interface Linking {
  caller: Caller
  deps: Pick<Deps, 'newSecret'> & { stores: Pick<Deps['stores'], 'shareLinks'> }
}

/** Makes a link. Gives it with the path of its page, which has the secret of a public one, and nobody else will. */
export async function addShareLink(
  { caller, deps }: Linking,
  { workspaceId, projectId, of, view = {}, isPublic, expiresAt }: NewLink,
): Promise<{ link: ShareLink; path: string }> {
  const credential = isPublic ? deps.newSecret() : undefined
  const link = await deps.stores.shareLinks.create(caller, {
    id: newId('shareLink'),
    workspaceId,
    projectId,
    profileId: null,
    benchReportId: null,
    ...of,
    view,
    expiresAt,
    secretHash: credential?.hash ?? null,
  })
  // Members are led on from one page, whatever it is of.
  const page = isPublic && link.benchReportId !== null ? '/shared/reports' : '/shared'
  // Browsers keep what is after the # to themselves: the secret is in no log and no referrer.
  return { link, path: `${page}/${link.id}${credential === undefined ? '' : `#${credential.secret}`}` }
}

/** So many days from now. */
export function inDays(days: number): Date {
  return new Date(Date.now() + days * 86_400_000)
}
