import type { Caller } from '@flamegate/contract'
import type { PageRequest } from './stores.ts'

export const designKinds = [
  'virtual_user',
  'http_server',
  'variable',
  'correlation_rule',
  'scenario',
  'bench_report',
  'report_template',
  'sla_profile',
  'monitor',
] as const
export type DesignKind = (typeof designKinds)[number]

/** What something was imported from. As on the wire. */
export interface DesignSource {
  /** `har`, `jmx`, … */
  format: string
  file_name: string
  /** Of the import; `get_import_report` tells what became of every element. */
  task_id: string
}

/** A virtual user, scenario, bench report, or another kind of document of a project, as a listing tells of it. */
export interface DesignEntry {
  id: string
  workspaceId: string
  projectId: string
  kind: DesignKind
  /** Unique among its kind in the project. */
  name: string
  /** What the document is about; whoever writes the document says it. */
  summary: Record<string, unknown>
  /** Grows with every change; the ETag of the document. */
  version: number
  /** Null: it was made here. */
  source: DesignSource | null
  /** Whether there is a secret, which `readSecrets` gives. */
  hasSecret: boolean
  createdBy: string
  createdAt: Date
  updatedAt: Date
  /** Null: it is there. */
  deletedAt: Date | null
}

export interface DesignObject extends DesignEntry {
  /** Valid by the schema of its kind when it was written. */
  document: Record<string, unknown>
}

export interface DesignVersion {
  version: number
  /** What its author calls it. */
  label: string | null
  /** What was done, in words. */
  change: string
  authorId: string
  /** Null when that person is gone. */
  authorEmail: string | null
  /** The program through which it was done. */
  authorClient: string
  createdAt: Date
}

/** What a version says of itself. */
export interface DesignChange {
  label?: string | undefined
  words: string
  /** Whoever calls, when absent: jobs write in somebody's name. */
  author?: { userId: string; clientName: string } | undefined
}

export interface NewDesignObject {
  id: string
  kind: DesignKind
  name: string
  document: object
  summary: Record<string, unknown>
  source?: DesignSource | null
  sealedSecret?: string | null
}

/** What a change can change; the rest stays. */
export type DesignUpdate = Partial<Pick<NewDesignObject, 'name' | 'summary' | 'sealedSecret'>> &
  Pick<NewDesignObject, 'document'>

export interface DesignFilter {
  kind: DesignKind
  /** Text that the name holds. */
  search?: string | undefined
  /** One of the words in `summary.tags`. */
  tag?: string | undefined
  /** Those that were deleted, instead of those that are there. */
  areDeleted?: boolean | undefined
}

/** Documents of the project, each with all its versions. A method is one transaction. */
export interface DesignStore {
  /** Newest first, without their documents. */
  list(caller: Caller, projectId: string, page: PageRequest, filter: DesignFilter): Promise<DesignEntry[]>
  /** All of a kind that are there, by name, with their documents: for kinds whose documents are small. */
  listDocuments(caller: Caller, projectId: string, kind: DesignKind): Promise<DesignObject[]>
  /** Names of all of a kind that are there. */
  listNames(caller: Caller, projectId: string, kind: DesignKind): Promise<ReadonlySet<string>>
  /** What was deleted is found only when asked for. */
  find(
    caller: Caller,
    id: string,
    options?: { evenDeleted?: boolean | undefined },
  ): Promise<DesignObject | undefined>
  /** By name. */
  findNamed(
    caller: Caller,
    projectId: string,
    kind: DesignKind,
    name: string,
  ): Promise<DesignObject | undefined>
  /** @throws Conflict `name` */
  create(
    caller: Caller,
    place: { workspaceId: string; projectId: string },
    object: NewDesignObject,
    change: DesignChange,
  ): Promise<DesignObject>
  /** All or none of them. @throws Conflict `name` */
  createMany(
    caller: Caller,
    place: { workspaceId: string; projectId: string },
    objects: readonly NewDesignObject[],
    change: DesignChange,
  ): Promise<void>
  /**
   * Writes the next version; `stale` with the object as it is when it is not `expectedVersion` any more. Undefined when there
   * is none. @throws Conflict `name`
   */
  change(
    caller: Caller,
    id: string,
    update: DesignUpdate,
    expectedVersion: number,
    change: DesignChange,
  ): Promise<{ state: 'changed' | 'stale'; object: DesignObject } | undefined>
  /** Deletes it so that it can come back; false when there is none. */
  remove(caller: Caller, id: string): Promise<boolean>
  /** Brings back what was deleted; undefined when there is none. @throws Conflict `name` */
  restore(caller: Caller, id: string): Promise<DesignObject | undefined>
  /** Newest first; those before a version when given. Up to `limit + 1`. */
  listVersions(
    caller: Caller,
    id: string,
    page: { limit: number; before?: number | undefined },
  ): Promise<DesignVersion[]>
  findVersion(
    caller: Caller,
    id: string,
    version: number,
  ): Promise<(DesignVersion & { document: Record<string, unknown> }) | undefined>
  /** Which objects of a project have one of the texts in their documents: `${name}`, or an id. In the order of their names. */
  findMentions(
    caller: Caller,
    projectId: string,
    texts: readonly string[],
  ): Promise<{ text: string; id: string; kind: DesignKind; name: string }[]>
  /** The sealed values of all secret variables of a project that have one, by name. */
  readSecrets(caller: Caller, projectId: string): Promise<ReadonlyMap<string, string>>
}
