import type { LoadGenerator, LoadGeneratorStore } from '@flamegate/operations/ports'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, queryRows, sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const columns = sql`id, workspace_id AS "workspaceId", name, agent_group AS "agentGroup", version, cores, facts,
  coalesce(facts -> 'engines', '[]') AS engines,
  created_at AS "createdAt", last_seen_at AS "lastSeenAt",
  coalesce((facts ->> 'left_at')::timestamptz >= last_seen_at, false) AS "hasLeft", (
    SELECT bench_result_id FROM bench_shards
    WHERE bench_shards.workspace_id = load_generators.workspace_id
      AND bench_shards.agent_group = load_generators.agent_group
      AND bench_shards.state IN ('PREPARING', 'READY', 'RUNNING')
      AND bench_shards.load_generator_id = load_generators.id
    LIMIT 1
  ) AS "benchResultId"`

/** A name can be anything: whoever makes up many does not fill the database. */
const mostOfWorkspace = 1000

export function loadGeneratorStore(database: Database): LoadGeneratorStore {
  return {
    list: (caller, workspaceId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<LoadGenerator>(
          client,
          sql`SELECT ${columns} FROM load_generators
            WHERE workspace_id = ${workspaceId} AND last_seen_at > now() - interval '7 days'
            ORDER BY agent_group, name`,
        ),
      ),

    find: (caller, id) =>
      database.asCallerSql(caller, async (client) => {
        const [found] = await queryRows<LoadGenerator>(
          client,
          sql`SELECT ${columns} FROM load_generators WHERE id = ${id}`,
        )
        return found
      }),

    connect: (caller, { id, workspaceId, name, agentGroup, version, cores, facts }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [known] = await queryRows<LoadGenerator>(
          client,
          sql`UPDATE load_generators SET agent_group = ${agentGroup}, version = ${storableText(version)},
              cores = ${cores}, facts = ${storableJson(facts)}::jsonb, last_seen_at = now()
            WHERE workspace_id = ${workspaceId} AND name = ${name}
            RETURNING ${columns}`,
        )
        if (known) return known
        await execute(
          client,
          sql`DELETE FROM load_generators WHERE workspace_id = ${workspaceId}
            AND last_seen_at <= now() - interval '7 days'`,
        )
        const [created] = await queryRows<LoadGenerator>(
          client,
          sql`INSERT INTO load_generators (workspace_id, id, name, agent_group, version, cores, facts, created_by)
            SELECT ${workspaceId}, ${id}, ${name}, ${agentGroup}, ${storableText(version)}, ${cores},
              ${storableJson(facts)}::jsonb, ${caller.principal.userId}
            WHERE (SELECT count(*) FROM load_generators WHERE workspace_id = ${workspaceId}) < ${mostOfWorkspace}
            ON CONFLICT (workspace_id, name) DO UPDATE SET last_seen_at = now()
            RETURNING ${columns}`,
        )
        return created
      }),

    disconnect: (caller, { id, workspaceId }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        // What is heard of it after that, it is heard of one that has its name and came in its place.
        await execute(
          client,
          sql`UPDATE load_generators SET last_seen_at = seen.at, facts = facts || jsonb_build_object('left_at', seen.at)
            FROM (SELECT now()::timestamptz(3) AS at) AS seen
            WHERE workspace_id = ${workspaceId} AND id = ${id}`,
        )
      }),
  }
}
