import { randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { operations, type Operation, type OutputOf } from '@flamegate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { callAndConfirm } from './calls.ts'
import { openPlatformDatabase } from './database-access.ts'
import { apiToken, platform, signUp, type Person } from './person.ts'
import { startSampleShop, type SampleShop } from './sample-shop/start-sample-shop.ts'

/** What becomes of a password that is in a recording. */

let shop: SampleShop
let ada: Person
let token: string
let projectId: string

beforeAll(async () => {
  shop = await startSampleShop()
  ada = await signUp('Ada')
  token = await apiToken(ada, ['read', 'write', 'run'])
  const created = await tool(operations.createProject, { workspace_id: ada.workspaceId, name: 'Login' })
  projectId = created.project.id
})
afterAll(() => shop?.stop())

async function tool<O extends Operation>(operation: O, input: Record<string, unknown>): Promise<OutputOf<O>> {
  const outcome = await callAndConfirm(operation, input, { token })
  if (outcome.answer === undefined || outcome.code !== undefined)
    throw new Error(`${operation.id}: ${outcome.code} ${outcome.text}`)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools answer what the contract says
  return outcome.answer as OutputOf<O>
}

async function untilDone(taskId: string) {
  for (;;) {
    // oxlint-disable no-await-in-loop -- polls until it is done
    const { task, next_poll_seconds } = await tool(operations.getTaskResult, { task_id: taskId })
    if (next_poll_seconds === null) return task
    await new Promise((resolve) => setTimeout(resolve, 100))
    // oxlint-enable no-await-in-loop
  }
}

/** A recording of somebody who logs in with a password that every request has in another way. */
function har(password: string): string {
  const form = 'application/x-www-form-urlencoded'
  const entries = [
    { method: 'GET', path: `/login?password=${encodeURIComponent(password)}`, body: null, headers: {} },
    {
      method: 'POST',
      path: '/login',
      body: { mimeType: form, text: new URLSearchParams({ user: 'ann', password }).toString() },
      headers: {
        Cookie: 'shop_session=0d1dc0edf4451bb2',
        Referer: `${shop.url}/login?password=${encodeURIComponent(password)}`,
      },
    },
    {
      method: 'POST',
      path: '/api/login',
      body: { mimeType: 'application/json', text: JSON.stringify({ user: 'ann', password }) },
      headers: { Authorization: `Basic ${Buffer.from(`ann:${password}`).toString('base64')}` },
    },
  ].map(({ method, path, body, headers }, index) => ({
    startedDateTime: `2026-11-20T10:00:0${index}.000Z`,
    time: 20,
    request: {
      method,
      url: shop.url + path,
      httpVersion: 'HTTP/1.1',
      headers: Object.entries(headers).map(([name, value]) => ({ name, value })),
      queryString: [],
      cookies: [],
      headersSize: -1,
      bodySize: -1,
      ...(body === null ? {} : { postData: body }),
    },
    response: {
      status: 200,
      statusText: 'OK',
      httpVersion: 'HTTP/1.1',
      headers: [{ name: 'set-cookie', value: 'shop_session=0d1dc0edf4451bb2' }],
      cookies: [],
      content: { size: 9, mimeType: 'text/html', text: `<p>Your password is ${password}</p>` },
      redirectURL: '',
      headersSize: -1,
      bodySize: 9,
    },
    cache: {},
    timings: { send: 1, wait: 18, receive: 1 },
  }))
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } })
}

test('the password of a recording is nowhere: in no answer, no row and no object, and its upload is gone', async () => {
  const password = `pw-${randomUUID()}`
  const { task_id } = await tool(operations.importVirtualUser, {
    project_id: projectId,
    format: 'har',
    file_name: 'login.har',
    content: har(password),
  })
  const imported = await untilDone(task_id)
  expect(imported.problem).toBeNull()
  const report = await ada.client.call(operations.getImportReport, { task_id, limit: 100 })
  const { virtual_users } = await tool(operations.listVirtualUsers, { project_id: projectId })
  const virtualUserId = virtual_users[0]?.id ?? ''
  const { document } = await ada.client.call(operations.getVirtualUserDocument, {
    virtual_user_id: virtualUserId,
  })
  await tool(operations.createVariable, {
    project_id: projectId,
    name: 'password',
    type: 'secret',
    value: password,
  })

  const { validation, task_id: validating } = await tool(operations.validateVirtualUser, {
    virtual_user_id: virtualUserId,
  })
  expect(Date.parse(validation.expires_at) - Date.parse(validation.created_at)).toBeGreaterThan(
    29 * 24 * 3600_000,
  )
  await untilDone(validating)
  const index = await tool(operations.getVirtualUserValidationIndex, { virtual_user_id: virtualUserId })
  const requests = index.actions.filter(({ type }) => type === 'http_request')
  expect(requests).toHaveLength(3)
  const told: unknown[] = [imported, report, document, index]
  for (const { action_id } of requests)
    for (const body of ['recorded_request', 'recorded_response', 'request', 'response', 'diff']) {
      // oxlint-disable-next-line no-await-in-loop -- a few
      const detail = await tool(operations.getValidationFailureDetail, {
        validation_id: validation.id,
        action_id,
        body,
      })
      expect(detail.recorded).not.toBeNull()
      told.push(detail)
    }
  const text = JSON.stringify(told)
  expect(text).not.toContain(password)
  expect(text).not.toContain(Buffer.from(`ann:${password}`).toString('base64').slice(8, 40))
  expect(text).toContain('Your password is •••')
  expect(text).toContain('password=•••')
  expect(text).toContain('Basic •••')
  // Correlation needs it.
  expect(text).toContain('shop_session=0d1dc0edf4451bb2')

  // The file itself goes moments after its task has ended.
  await expect.poll(() => objectsWith(password)).toEqual([])
  expect(await rowsWith(password)).toEqual([])
  const { files } = await ada.client.call(operations.listFiles, { owner: projectId })
  expect(files.filter(({ name }) => name === 'login.har')).toEqual([])
})

/** Tables that have a text in a row that its owner may read. */
async function rowsWith(wanted: string): Promise<string[]> {
  const database = await openPlatformDatabase()
  try {
    const caller = {
      principal: {
        userId: ada.userId,
        via: 'session' as const,
        clientId: 'test',
        clientName: 'test',
        scopes: ['read' as const],
        workspaceIds: [ada.workspaceId],
      },
      roles: new Map([[ada.workspaceId, 'owner' as const]]),
      access: 'read' as const,
    }
    return await database.asCallerSql(caller, async (client) => {
      const { rows: columns } = await client.query<{ table: string; column: string; type: string }>(
        `SELECT relname AS table, attname AS column, format_type(atttypid, atttypmod) AS type
          FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND attnum > 0 AND NOT attisdropped
            AND has_column_privilege(pg_class.oid, attnum, 'SELECT')`,
      )
      expect(columns.map(({ table, column }) => `${table}.${column}`)).toEqual(
        expect.arrayContaining([
          'recordings.index',
          'validations.results',
          'design_objects.document',
          'tasks.result',
        ]),
      )
      const found: string[] = []
      for (const { table, column, type } of columns) {
        const text = type === 'bytea' ? `encode("${column}", 'escape')` : `"${column}"::text`
        // oxlint-disable-next-line no-await-in-loop -- one connection does one thing at a time
        const { rowCount } = await client.query(`SELECT FROM "${table}" WHERE strpos(${text}, $1) > 0`, [
          wanted,
        ])
        if (rowCount !== 0) found.push(`${table}.${column}`)
      }
      return found
    })
  } finally {
    await database.close()
  }
}

/** Objects that have a text in them, also those that are compressed. */
async function objectsWith(wanted: string): Promise<string[]> {
  const folder = join(platform().dataDir, 'objects')
  const names = await readdir(folder, { recursive: true, withFileTypes: true })
  const own = names.filter((entry) => entry.isFile() && entry.parentPath.includes(ada.workspaceId))
  expect(own.length).toBeGreaterThanOrEqual(2)
  const found: string[] = []
  for (const { parentPath, name } of own) {
    // oxlint-disable-next-line no-await-in-loop -- a few
    const bytes = await readFile(join(parentPath, name))
    const text = bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : bytes
    if (text.includes(wanted)) found.push(name)
  }
  return found
}
