import type { Project, ProjectStore, ProjectWithCounts } from '@flamegate/operations/ports'
import type { Database, Transaction } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { containing, nothing, queryRows, sql, startAfter } from '../sql.ts'
import { storableText } from '../storable.ts'

const columns = sql`projects.id, projects.workspace_id AS "workspaceId", projects.slug, projects.name,
  projects.description, projects.tags, projects.repository, projects.version,
  projects.default_branch AS "defaultBranch", projects.baseline_run_id AS "baselineRunId",
  projects.keyless_uploads_by AS "keylessUploadsBy", projects.alerts_off_since AS "alertsOffSince",
  projects.alerts_off_by AS "alertsOffBy", projects.origin_rules AS "originRules", projects.forge,
  projects.forge_url AS "forgeUrl",
  projects.created_at AS "createdAt", projects.updated_at AS "updatedAt"`

const columnsWithCounts = sql`${columns},
  (SELECT count(*) FROM runs WHERE runs.project_id = projects.id) AS "runCount",
  (SELECT count(*) FROM benchmarks WHERE benchmarks.project_id = projects.id) AS "benchmarkCount",
  (SELECT count(*) FROM profiles WHERE profiles.project_id = projects.id) AS "profileCount",
  (SELECT email FROM users WHERE users.id = projects.alerts_off_by) AS "alertsOffByEmail"`

const sortKey = sql`projects.created_at, projects.id`
const newestFirst = sql`ORDER BY projects.created_at DESC, projects.id DESC`

export function projectStore(database: Database): ProjectStore {
  return {
    list: (caller, workspaceId, page, filter) => {
      const pattern = filter?.search === undefined ? undefined : containing(filter.search)
      return database.asCallerSql(caller, (client) =>
        queryRows<ProjectWithCounts>(
          client,
          sql`SELECT ${columnsWithCounts} FROM projects WHERE projects.workspace_id = ${workspaceId}
            ${pattern === undefined ? nothing : sql`AND (name ILIKE ${pattern} OR slug ILIKE ${pattern} OR description ILIKE ${pattern})`}
            ${startAfter(page.after, sortKey)} ${newestFirst} LIMIT ${page.limit + 1}`,
        ),
      )
    },

    // Nearly every call in a project begins with it, and counting is slower the more there is.
    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [project] = await queryRows<Project>(
          client,
          sql`SELECT ${columns} FROM projects WHERE projects.id = ${id}`,
        )
        return project
      }),

    findWithCounts: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [project] = await queryRows<ProjectWithCounts>(
          client,
          sql`SELECT ${columnsWithCounts} FROM projects WHERE projects.id = ${id}`,
        )
        return project
      }),

    findByRepository: (caller, repository) =>
      database.asCallerSql(caller, async (client) => {
        const [project] = await queryRows<Project>(
          client,
          sql`SELECT ${columns} FROM projects WHERE repository = ${repository} ${newestFirst} LIMIT 1`,
        )
        return project
      }),

    listOfAllWorkspaces: (caller, page) =>
      database.asCallerSql(caller, (client) =>
        queryRows<ProjectWithCounts>(
          client,
          sql`SELECT ${columnsWithCounts} FROM projects WHERE true
            ${startAfter(page.after, sortKey)} ${newestFirst} LIMIT ${page.limit + 1}`,
        ),
      ),

    create: (caller, project) =>
      database.asCaller(caller, async (transaction) => {
        const { id } = await transaction.project.create({
          data: { ...project, tags: project.tags.map(storableText) },
          select: { id: true },
        })
        return getProject(transaction, id)
      }),

    update: (caller, id, { originRules, ...change }, ifVersion) =>
      database.asCaller(caller, async (transaction) => {
        const found = await transaction.project.findFirst({ where: { id }, select: { workspaceId: true } })
        if (!found) return undefined
        mustWrite(caller, found.workspaceId)
        const { count } = await transaction.project.updateMany({
          where: { id, workspaceId: found.workspaceId, version: ifVersion },
          data: {
            ...change,
            ...(change.tags === undefined ? {} : { tags: change.tags.map(storableText) }),
            ...(originRules === undefined ? {} : { originRules: originRules.map(storableRule) }),
            version: { increment: 1 },
            updatedAt: new Date(),
          },
        })
        return count === 0 ? undefined : getProject(transaction, id)
      }),

    remove: (caller, id) =>
      database.asCaller(caller, async (transaction) => {
        const found = await transaction.project.findFirst({ where: { id }, select: { workspaceId: true } })
        if (!found) return undefined
        const { workspaceId } = found
        mustWrite(caller, workspaceId)
        // Locked first, so that no file can be added to it between the list and the removal.
        await transaction.$queryRaw`SELECT FROM projects WHERE workspace_id = ${workspaceId} AND id = ${id} FOR UPDATE`
        const files = await transaction.file.findMany({
          where: { workspaceId, projectId: id },
          select: { storageKey: true },
        })
        const { count } = await transaction.project.deleteMany({ where: { workspaceId, id } })
        return count === 0 ? undefined : { storageKeys: files.map((file) => file.storageKey) }
      }),
  }
}

function storableRule({ pattern, origin, ...rule }: Project['originRules'][number]) {
  return { ...rule, pattern: storableText(pattern), origin: storableText(origin) }
}

async function getProject(transaction: Transaction, id: string): Promise<Project> {
  const [project] = await transaction.$queryRaw<Project[]>(
    sql`SELECT ${columns} FROM projects WHERE projects.id = ${id}`,
  )
  if (!project) throw new Error(`Project ${id} is gone`)
  return project
}
