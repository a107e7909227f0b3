import { operations, Problem } from '@flamegate/contract'
import { parseDocument, type DocumentOf } from '@flamegate/loadtest'
import type { CallContext } from '../implement.ts'
import type { DesignObject } from '../ports/index.ts'

/** By kind of document, what lists its versions. */
const listings = {
  virtual_user: operations.listVirtualUserVersions,
  scenario: operations.listScenarioVersions,
  bench_report: operations.listBenchReportVersions,
  variable: operations.listDesignObjectVersions,
  http_server: operations.listDesignObjectVersions,
  correlation_rule: operations.listDesignObjectVersions,
}
type KindWithVersions = keyof typeof listings

/** Changes between two versions that are told. */
const changesTold = 200

/** A document as it was in a version, with all defaults filled in. @throws Problem `document_not_found` */
export async function documentAt<Kind extends KindWithVersions>(
  { caller, deps }: CallContext,
  kind: Kind,
  object: DesignObject,
  version: number,
): Promise<DocumentOf<Kind>> {
  if (version === object.version) return parseDocument(kind, object.document)
  const found = await deps.stores.designs.findVersion(caller, object.id, version)
  if (found === undefined) {
    throw new Problem('document_not_found', `${object.name} has no version ${version}.`, {
      hint: [listings[kind], 'shows the ones there are'],
    })
  }
  return parseDocument(kind, found.document)
}

interface Asked {
  limit: number
  before_version?: number | undefined
  /** Two of them, as `2..5`. */
  compare?: string | undefined
}

/**
 * A page of the versions of a document, newest first, and how two of them differ where that is asked.
 * @throws Problem `document_not_found` where one of the two is none
 */
export async function listVersions<Kind extends KindWithVersions, Change>(
  context: CallContext,
  kind: Kind,
  object: DesignObject,
  { limit, before_version: before, compare }: Asked,
  changesOf: (earlier: DocumentOf<Kind>, later: DocumentOf<Kind>) => readonly Change[],
) {
  const found = await context.deps.stores.designs.listVersions(context.caller, object.id, { limit, before })
  const versions = found.slice(0, limit)
  const changes =
    compare === undefined ? undefined : changesOf(...(await bothOf(context, kind, object, compare)))
  return {
    versions: versions.map((each) => ({
      version: each.version,
      label: each.label,
      change: each.change,
      author_email: each.authorEmail,
      author_client: each.authorClient,
      created_at: each.createdAt.toISOString(),
    })),
    next_before: found.length > limit ? (versions.at(-1)?.version ?? null) : null,
    changes: changes?.slice(0, changesTold) ?? null,
    change_count: changes?.length ?? null,
  }
}

async function bothOf<Kind extends KindWithVersions>(
  context: CallContext,
  kind: Kind,
  object: DesignObject,
  compared: string,
): Promise<[earlier: DocumentOf<Kind>, later: DocumentOf<Kind>]> {
  const [earlier = NaN, later = NaN] = compared.split('..').map(Number)
  return Promise.all([documentAt(context, kind, object, earlier), documentAt(context, kind, object, later)])
}
