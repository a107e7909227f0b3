import type { Caller } from '@flamegate/contract'

/** What a link shows of a profile; as on the wire. */
export interface SharedView {
  sample_type?: string | undefined
  labels?: string[] | undefined
  from_ms?: number | undefined
  to_ms?: number | undefined
  root_function_name?: string | undefined
  inverted?: boolean | undefined
  base_profile_id?: string | undefined
}

/** A link to one view of a profile, or to a bench report. */
export interface ShareLink {
  id: string
  workspaceId: string
  projectId: string
  /** This, or `benchReportId`; the other one is null. */
  profileId: string | null
  benchReportId: string | null
  view: SharedView
  isPublic: boolean
  expiresAt: Date
  createdBy: string
  createdAt: Date
}

/** Links that have expired are not there. */
export interface ShareLinkStore {
  /** Newest first. */
  list(caller: Caller, of: { profileId: string } | { benchReportId: string }): Promise<ShareLink[]>
  find(caller: Caller, id: string): Promise<ShareLink | undefined>
  /**
   * `secretHash` is hex SHA-256; null where only members follow it. Links of the workspace that have expired are removed.
   */
  create(
    caller: Caller,
    link: Omit<ShareLink, 'isPublic' | 'createdBy' | 'createdAt'> & { secretHash: string | null },
  ): Promise<ShareLink>
  remove(caller: Caller, workspaceId: string, id: string): Promise<boolean>
  /** The public link of that id and secret; for whoever has it. */
  findPublic(id: string, secretHash: string): Promise<ShareLink | undefined>
}
