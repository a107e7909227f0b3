import { Client } from 'pg'
import { expect, test } from 'vitest'
import { discoverTables, insertion } from '../tenant-tables.ts'
import { inSequence, preparePeople } from '../testing.ts'

const { at, ada, asAda, asBob } = preparePeople()

test('what counts against a plan is that of all projects, for a caller of one project too, and for nobody else', async () => {
  const client = new Client(at.urls.adminUrl)
  await client.connect()
  const kept = new Set(['bench_series', 'live_ticks', 'files', 'live_recordings', 'mcp_sessions'])
  const tables = (await discoverTables(client)).filter(({ name }) => kept.has(name))
  // Without regard to what they refer to.
  await client.query('SET session_replication_role = replica')
  await inSequence(tables, (table) => client.query(...insertion(table, ada.workspaceId, 'first')))
  await client.query(`UPDATE files SET purpose = 'request_log', size_bytes = 7`)
  await client.end()

  const usual = asAda()
  const elsewhere = { ...usual, principal: { ...usual.principal, projectId: 'another project' } }
  const { series, resultFiles, live, mcp } = at.stores
  const bytesAs = async (caller: typeof usual) => [
    await series.countBytes(caller, ada.workspaceId),
    await resultFiles.countBytes(caller, ada.workspaceId),
    (await live.countBytes(caller, ada.workspaceId)).recordings,
    await mcp.countBytes(caller, ada.workspaceId),
  ]
  // A series of one byte, and a tick of five.
  expect(await bytesAs(usual)).toEqual([6, 7, 1, 1])
  expect(await bytesAs(elsewhere)).toEqual([6, 7, 1, 1])
  expect(await bytesAs(asBob())).toEqual([0, 0, 0, 0])
})
