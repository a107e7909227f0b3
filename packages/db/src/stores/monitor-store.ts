import type { Caller } from '@flamegate/contract'
import type {
  MonitorAgent,
  MonitorBatch,
  MonitoredRun,
  MonitorLease,
  MonitorSighting,
  MonitorState,
  MonitorStore,
} from '@flamegate/operations/ports'
import type { ClientBase } from 'pg'
import type { Database } from '../database.ts'
import { mustWrite } from '../row-scope.ts'
import { execute, nothing, queryRows, sql, type Sql } from '../sql.ts'
import { storableJson, storableText } from '../storable.ts'

const agentColumns = sql`workspace_id AS "workspaceId", name, agent_group AS "agentGroup", version,
  last_seen_at AS "lastSeenAt"`
const stateColumns = sql`monitor_id AS "monitorId", checked_at AS "checkedAt", counters,
  counter_count AS "counterCount", seen_at AS "seenAt", agent, is_reachable AS "isReachable", message`

/** A name can be anything: whoever makes up many does not fill the database. */
const agentsMax = 1000
/** So many monitors are given out at once; the rest with the next question. */
const leasesMax = 50
/** An agent says every few seconds that it is still at it. */
const isAbandoned = sql`monitored_runs.last_seen_at < now() - interval '20 seconds'`

export function monitorStore(database: Database): MonitorStore {
  return {
    noteAgent: (caller, { workspaceId, name, agentGroup, version }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const known = await execute(
          client,
          sql`UPDATE monitor_agents SET agent_group = ${agentGroup}, version = ${storableText(version)},
              last_seen_at = now() WHERE workspace_id = ${workspaceId} AND name = ${name}`,
        )
        if (known > 0) return
        await execute(
          client,
          sql`DELETE FROM monitor_agents
            WHERE workspace_id = ${workspaceId} AND last_seen_at <= now() - interval '7 days'`,
        )
        await execute(
          client,
          sql`INSERT INTO monitor_agents (workspace_id, name, agent_group, version)
            SELECT ${workspaceId}, ${name}, ${agentGroup}, ${storableText(version)}
            WHERE (SELECT count(*) FROM monitor_agents WHERE workspace_id = ${workspaceId}) < ${agentsMax}
            ON CONFLICT (workspace_id, name) DO UPDATE SET last_seen_at = now()`,
        )
      }),

    listAgents: (caller, workspaceId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<MonitorAgent>(
          client,
          sql`SELECT ${agentColumns} FROM monitor_agents
            WHERE workspace_id = ${workspaceId} AND last_seen_at > now() - interval '7 days'
            ORDER BY agent_group, name`,
        ),
      ),

    lease: (caller, agent) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, agent.workspaceId)
        return [...(await takeChecks(client, agent)), ...(await takeRuns(client, agent))]
      }),

    askCheck: (caller, { workspaceId, projectId, id }) =>
      database.asCallerSql(caller, async (client) => {
        mustWrite(caller, workspaceId)
        const [asked] = await queryRows<{ askedAt: Date }>(
          client,
          sql`INSERT INTO monitor_states (workspace_id, monitor_id, project_id, asked_at)
            VALUES (${workspaceId}, ${id}, ${projectId}, now())
            ON CONFLICT (workspace_id, monitor_id) DO UPDATE SET asked_at = now(), taken_at = NULL
            RETURNING asked_at AS "askedAt"`,
        )
        if (asked === undefined) throw new TypeError(`${id} was to be checked, and is not there`)
        return asked.askedAt
      }),

    noteCheck: (caller, { workspaceId, projectId, id }, found) =>
      database.asCallerSql(caller, (client) =>
        noteSighting(
          client,
          caller,
          { workspaceId, projectId, monitorId: id },
          found,
          sql`, asked_at = NULL, checked_at = now(), counters = ${storableJson(found.counters)}::jsonb,
            counter_count = ${found.counterCount}::int`,
        ),
      ),

    findState: (caller, monitorId) =>
      database.asCallerSql(caller, async (client) => {
        const [state] = await queryRows<MonitorState>(
          client,
          sql`SELECT ${stateColumns} FROM monitor_states WHERE monitor_id = ${monitorId}`,
        )
        return state
      }),

    listStates: (caller, projectId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<MonitorState>(
          client,
          sql`SELECT ${stateColumns} FROM monitor_states WHERE project_id = ${projectId} AND seen_at IS NOT NULL`,
        ),
      ),

    append: (caller, { benchResultId, monitorId, lease }, { batches, ...sighting }) =>
      database.asCallerSql(caller, async (client) => {
        const find = async (lock: Sql) => {
          const [run] = await queryRows<{ workspaceId: string; projectId: string; lastSequence: number }>(
            client,
            sql`SELECT workspace_id AS "workspaceId", project_id AS "projectId", last_sequence AS "lastSequence"
              FROM monitored_runs
              WHERE bench_result_id = ${benchResultId} AND monitor_id = ${monitorId} AND lease = ${lease}::int ${lock}`,
          )
          return run
        }
        const known = await find(nothing)
        if (known === undefined) return false
        mustWrite(caller, known.workspaceId)
        const run = await find(sql`FOR UPDATE`)
        if (run === undefined) return false
        const place = { workspaceId: run.workspaceId, benchResultId, monitorId }
        let { lastSequence } = run
        for (const batch of batches.toSorted((a, b) => a.sequence - b.sequence)) {
          if (batch.sequence <= lastSequence) continue
          // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
          await storeMinutes(client, place, batch)
          lastSequence = batch.sequence
        }
        await execute(
          client,
          sql`UPDATE monitored_runs SET last_seen_at = now(), last_sequence = ${lastSequence}::int
            WHERE workspace_id = ${run.workspaceId} AND bench_result_id = ${benchResultId} AND monitor_id = ${monitorId}`,
        )
        await noteSighting(client, caller, { ...run, monitorId }, sighting)
        return true
      }),

    listRun: (caller, benchResultId) =>
      database.asCallerSql(caller, (client) =>
        queryRows<MonitoredRun>(
          client,
          sql`SELECT monitor_id AS "monitorId", document FROM monitored_runs
            WHERE bench_result_id = ${benchResultId} ORDER BY monitor_id`,
        ),
      ),

    readMinutes: (caller, { benchResultId, monitorId }, { from, to }) =>
      database.asCallerSql(caller, async (client) => {
        const rows = await queryRows<{ chunk: Uint8Array }>(
          client,
          sql`SELECT chunk FROM monitor_chunks WHERE bench_result_id = ${benchResultId} AND monitor_id = ${monitorId}
            AND minute >= ${from}::int AND minute < ${to}::int ORDER BY minute`,
        )
        return rows.map(({ chunk }) => chunk)
      }),
  }
}

type Agent = Parameters<MonitorStore['lease']>[1]

const isMonitorOfGroup = ({
  workspaceId,
  agentGroup,
}: Agent): Sql => sql`monitor.workspace_id = ${workspaceId}
  AND monitor.kind = 'monitor' AND monitor.deleted_at IS NULL AND monitor.document ->> 'agent_group' = ${agentGroup}`

/** Whoever asked waits for some seconds only: what is older is not checked any more. */
async function takeChecks(client: ClientBase, agent: Agent): Promise<MonitorLease[]> {
  const taken = await queryRows<Omit<MonitorLease, 'run'>>(
    client,
    sql`UPDATE monitor_states SET taken_at = now() FROM design_objects AS monitor
      WHERE monitor_states.workspace_id = monitor.workspace_id AND monitor_states.monitor_id = monitor.id
        AND ${isMonitorOfGroup(agent)}
        AND asked_at > now() - interval '1 minute' AND taken_at IS NULL
      RETURNING monitor.id AS "monitorId", monitor.project_id AS "projectId", document,
        sealed_secret AS "sealedSecret"`,
  )
  return taken.map((each) => ({ ...each, run: null }))
}

interface OpenRun {
  monitorId: string
  projectId: string
  document: Record<string, unknown>
  sealedSecret: string | null
  benchResultId: string
  startedAt: Date
}

/** Runs that go on, of which nobody collects the monitor, or nobody any more. */
async function takeRuns(client: ClientBase, agent: Agent): Promise<MonitorLease[]> {
  const open = await queryRows<OpenRun>(
    client,
    sql`SELECT monitor.id AS "monitorId", monitor.project_id AS "projectId", monitor.document,
        monitor.sealed_secret AS "sealedSecret", run.id AS "benchResultId", run.started_at AS "startedAt"
      FROM design_objects AS monitor
      JOIN bench_results AS run ON run.workspace_id = monitor.workspace_id AND run.project_id = monitor.project_id
        AND run.state = 'RUNNING' AND run.started_at IS NOT NULL
      LEFT JOIN monitored_runs ON monitored_runs.workspace_id = run.workspace_id
        AND monitored_runs.bench_result_id = run.id AND monitored_runs.monitor_id = monitor.id
      WHERE ${isMonitorOfGroup(agent)} AND (monitor.document ->> 'enabled')::boolean
        AND (monitored_runs.monitor_id IS NULL OR ${isAbandoned})
      ORDER BY run.started_at, monitor.id LIMIT ${leasesMax}`,
  )
  const leases: MonitorLease[] = []
  for (const run of open) {
    // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
    const lease = await takeRun(client, agent, run)
    if (lease !== undefined) leases.push(lease)
  }
  return leases
}

/** @returns undefined when another agent was quicker */
async function takeRun(
  client: ClientBase,
  { workspaceId, name }: Agent,
  { monitorId, projectId, document, sealedSecret, benchResultId, startedAt }: OpenRun,
): Promise<MonitorLease | undefined> {
  // Whoever takes over collects what was collected before, also when the monitor is another one by now.
  const [taken] = await queryRows<{
    document: MonitorLease['document']
    lease: number
    lastSequence: number
  }>(
    client,
    sql`INSERT INTO monitored_runs (workspace_id, bench_result_id, monitor_id, project_id, document, agent)
      VALUES (${workspaceId}, ${benchResultId}, ${monitorId}, ${projectId}, ${storableJson(document)}::jsonb, ${name})
      ON CONFLICT (workspace_id, bench_result_id, monitor_id) DO UPDATE
        SET lease = monitored_runs.lease + 1, agent = ${name}, last_seen_at = now() WHERE ${isAbandoned}
      RETURNING document, lease, last_sequence AS "lastSequence"`,
  )
  if (taken === undefined) return undefined
  const { lease, lastSequence } = taken
  return {
    monitorId,
    projectId,
    document: taken.document,
    sealedSecret,
    run: { benchResultId, startedAt, lease, lastSequence },
  }
}

async function storeMinutes(
  client: ClientBase,
  {
    workspaceId,
    benchResultId,
    monitorId,
  }: { workspaceId: string; benchResultId: string; monitorId: string },
  { minutes }: MonitorBatch,
): Promise<void> {
  for (const [minute, pack] of minutes) {
    // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
    const [stored] = await queryRows<{ chunk: Uint8Array }>(
      client,
      sql`SELECT chunk FROM monitor_chunks WHERE workspace_id = ${workspaceId}
        AND bench_result_id = ${benchResultId} AND monitor_id = ${monitorId} AND minute = ${minute}::int`,
    )
    const chunk = Buffer.from(pack(stored?.chunk))
    // oxlint-disable-next-line no-await-in-loop -- see above
    await execute(
      client,
      sql`INSERT INTO monitor_chunks (workspace_id, bench_result_id, monitor_id, minute, chunk)
        VALUES (${workspaceId}, ${benchResultId}, ${monitorId}, ${minute}::int, ${chunk}::bytea)
        ON CONFLICT (workspace_id, bench_result_id, monitor_id, minute) DO UPDATE SET chunk = ${chunk}::bytea`,
    )
  }
}

async function noteSighting(
  client: ClientBase,
  caller: Caller,
  { workspaceId, projectId, monitorId }: { workspaceId: string; projectId: string; monitorId: string },
  { agent, isReachable, message }: MonitorSighting,
  more: Sql = nothing,
): Promise<void> {
  mustWrite(caller, workspaceId)
  await execute(
    client,
    sql`INSERT INTO monitor_states (workspace_id, monitor_id, project_id)
      VALUES (${workspaceId}, ${monitorId}, ${projectId}) ON CONFLICT (workspace_id, monitor_id) DO NOTHING`,
  )
  await execute(
    client,
    sql`UPDATE monitor_states SET seen_at = now(), agent = ${storableText(agent)},
        is_reachable = ${isReachable}::boolean, message = ${storableText(message)} ${more}
      WHERE workspace_id = ${workspaceId} AND monitor_id = ${monitorId}`,
  )
}
