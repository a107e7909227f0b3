import { newId } from '@flamegate/contract'
import type { AuditEvent } from '@flamegate/operations/ports'
import { describe, expect, test, vi } from 'vitest'
import { preparePeople, testCaller } from '../testing.ts'

const { at, ada, bob, asAda, asBob } = preparePeople({ access: 'admin' })

const event = (change: Partial<AuditEvent> = {}): AuditEvent => ({
  id: newId('auditEvent'),
  workspaceId: ada.workspaceId,
  userId: ada.userId,
  via: 'oauth',
  clientId: 'claude',
  clientName: 'Claude',
  operation: 'create_project',
  effect: 'write',
  target: 'prj_1',
  argumentsDigest: 'ab12',
  decision: 'allowed',
  outcome: 'ok',
  status: 201,
  durationMs: 1.5,
  answerBytes: 512,
  requestId: 'req_1',
  traceId: null,
  ip: '127.0.0.1',
  userAgent: null,
  at: new Date(),
  ...change,
})

describe('the audit log', () => {
  test('has a write when record() resolves, and a read within a second', async () => {
    const written = event()
    const read = event({ effect: 'read', operation: 'get_run' })
    await at.stores.audit.record(written)
    const search = (operation: string) =>
      at.stores.audit.search(asAda(), ada.workspaceId, { limit: 10 }, { operation })
    const link = {
      writerId: expect.stringMatching(/^wrt_/),
      sequence: expect.any(Number),
      previousHash: expect.any(String),
      hash: expect.any(String),
    }
    expect(await search('create_project')).toEqual([{ ...written, link: link }])
    await at.stores.audit.record(read)
    expect(await search('get_run')).toEqual([])
    const stored = [{ ...read, link: link }]
    await vi.waitFor(async () => expect(await search('get_run')).toEqual(stored), { timeout: 20_000 })
  })

  test('takes what a stranger did, with text that Postgres cannot hold', async () => {
    await at.stores.audit.record(
      event({ workspaceId: null, target: null, clientName: 'nul\0', outcome: 'not_found' }),
    )
    const { rows } = await at.admin.query(
      'SELECT client_name, target FROM audit_events WHERE workspace_id IS NULL',
    )
    expect(rows).toEqual([{ client_name: 'nul\uFFFD', target: null }])
  })

  test('is shown to admins only', async () => {
    const page = { limit: 10 }
    expect(await at.stores.audit.search(asAda(), ada.workspaceId, page, {})).not.toEqual([])
    expect(await at.stores.audit.search(asAda('read'), ada.workspaceId, page, {})).not.toEqual([])
    expect(await at.stores.audit.search(asAda('write'), ada.workspaceId, page, {})).toEqual([])
    const member = testCaller('usr_member', { [ada.workspaceId]: 'member' })
    expect(await at.stores.audit.search(member, ada.workspaceId, page, {})).toEqual([])
    const stranger = testCaller('usr_stranger', { ws_other: 'owner' })
    expect(await at.stores.audit.search(stranger, ada.workspaceId, page, {})).toEqual([])
  })

  test('is searched by who, what, when and how it ended', async () => {
    const times = [1, 2, 3].map((day) => new Date(Date.UTC(2026, 0, day)))
    const events = times.map((time, index) =>
      event({
        workspaceId: bob.workspaceId,
        at: time,
        userId: `usr_${index}`,
        clientId: `client_${index % 2}`,
        target: `prj_a_${index}%`,
        outcome: index === 1 ? 'conflict' : 'ok',
        decision: index === 2 ? 'refused' : 'allowed',
      }),
    )
    await Promise.all(events.map((one) => at.stores.audit.record(one)))
    const found = async (filter: Parameters<typeof at.stores.audit.search>[3], after?: AuditEvent) => {
      const page = { limit: 10, after: after && { createdAt: after.at, id: after.id } }
      const rows = await at.stores.audit.search(asBob(), bob.workspaceId, page, filter)
      return rows.map((row) => events.findIndex(({ id }) => id === row.id))
    }
    expect(await found({})).toEqual([2, 1, 0])
    expect(await found({ userId: 'usr_1' })).toEqual([1])
    expect(await found({ clientId: 'client_0' })).toEqual([2, 0])
    expect(await found({ outcome: 'conflict' })).toEqual([1])
    expect(await found({ decision: 'refused' })).toEqual([2])
    expect(await found({ target: 'a_1%' })).toEqual([1])
    expect(await found({ target: 'prj_a_' })).toEqual([2, 1, 0])
    expect(await found({ target: 'a%2' })).toEqual([])
    expect(await found({ since: times[1], until: times[2] })).toEqual([1])
    expect(await found({}, events[2])).toEqual([1, 0])
  })
})

describe('retry keys', () => {
  const request = { operation: 'create_project', requestHash: 'hash' }

  test('are claimed once, then busy, then answered with what was stored', async () => {
    const claims = await Promise.all(
      [1, 2, 3].map(() => at.stores.idempotency.claim(asAda('write'), 'k1', request)),
    )
    expect(claims.map(({ state }) => state).toSorted()).toEqual(['busy', 'busy', 'new'])
    expect(
      await at.stores.idempotency.claim(asAda('write'), 'k1', { ...request, requestHash: 'other' }),
    ).toEqual({
      state: 'mismatch',
    })
    expect(
      await at.stores.idempotency.claim(asAda('write'), 'k1', { ...request, operation: 'other' }),
    ).toEqual({
      state: 'mismatch',
    })
    await at.stores.idempotency.complete(asAda('write'), 'k1', 'sealed')
    expect(await at.stores.idempotency.claim(asAda('write'), 'k1', request)).toEqual({
      state: 'done',
      sealedAnswer: 'sealed',
    })
    expect(
      await at.stores.idempotency.claim(asAda('write'), 'k1', { ...request, requestHash: 'other' }),
    ).toEqual({
      state: 'mismatch',
    })
  })

  test('are free again when the call failed, but not when it was answered', async () => {
    await at.stores.idempotency.claim(asAda('write'), 'k2', request)
    await at.stores.idempotency.release(asAda('write'), 'k2')
    expect(await at.stores.idempotency.claim(asAda('write'), 'k2', request)).toEqual({ state: 'new' })
    await at.stores.idempotency.complete(asAda('write'), 'k2', 'sealed')
    await at.stores.idempotency.release(asAda('write'), 'k2')
    expect(await at.stores.idempotency.claim(asAda('write'), 'k2', request)).toEqual({
      state: 'done',
      sealedAnswer: 'sealed',
    })
  })

  test('of another person are other keys', async () => {
    const carol = await at.signUp('carol')
    const asCarol = testCaller(carol.userId, { [carol.workspaceId]: 'owner' })
    await at.stores.idempotency.claim(asAda(), 'k3', request)
    expect(await at.stores.idempotency.claim(asCarol, 'k3', request)).toEqual({ state: 'new' })
    await at.stores.idempotency.release(asCarol, 'k3')
    expect(await at.stores.idempotency.claim(asAda(), 'k3', request)).toEqual({ state: 'busy' })
  })

  test('are given up when their process died, and forgotten after a day', async () => {
    await at.stores.idempotency.claim(asAda(), 'k4', request)
    await at.admin.query(
      "UPDATE idempotency_keys SET created_at = now() - interval '3 minutes' WHERE key = 'k4'",
    )
    expect(await at.stores.idempotency.claim(asAda(), 'k4', { ...request, requestHash: 'other' })).toEqual({
      state: 'mismatch',
    })
    expect(await at.stores.idempotency.claim(asAda(), 'k4', request)).toEqual({ state: 'new' })
    await at.stores.idempotency.complete(asAda(), 'k4', 'sealed')
    await at.admin.query(
      "UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = 'k4'",
    )
    expect(await at.stores.idempotency.claim(asAda(), 'k4', { ...request, requestHash: 'other' })).toEqual({
      state: 'new',
    })
  })
})
