import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const validationStates = ['PENDING', 'RUNNING', 'PASSED', 'FAILED', 'ERROR', 'CANCELLED'] as const

/** A functional check of a virtual user: one user, a few iterations, against the real target. */
export const validationShape = z.object({
  id: z.string(),
  virtual_user_id: z.string(),
  version: z.number().int().describe('Of the virtual user that was checked.'),
  state: z.enum(validationStates).describe('All but PENDING and RUNNING are final.'),
  iterations: z.number().int(),
  passed: z.number().int().describe('Actions that passed.'),
  failed: z.number().int(),
  skipped: z.number().int(),
  message: z.string().describe('Why it ended, or what it does now.'),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  expires_at: timestamp.describe('Removed then, unless it is the latest.'),
  task_id: z.string(),
})
export type ValidationShape = z.output<typeof validationShape>

/** What an exchange was for, in the action that caused it. */
export const exchangeRole = z.enum(['main', 'redirect', 'challenge', 'resource'])

/** Phases of an exchange, one after the other; null where one did not happen or is not known. */
export const timingsShape = z.object({
  blocked: z.number().nullable(),
  dns: z.number().nullable(),
  connect: z.number().nullable(),
  tls: z.number().nullable(),
  send: z.number().nullable(),
  first_byte: z.number().nullable(),
  download: z.number().nullable(),
  total: z.number(),
})

/** What happened to one action, in one iteration. */
export const actionResultShape = z.object({
  sequence: z.number().int().describe('In the order in which they ended.'),
  iteration: z.number().int().describe('From 1.'),
  action_id: z.string(),
  type: z.string(),
  name: z.string(),
  path: z.array(z.string()).describe('Ids of the actions around it.'),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  status: z.number().int().nullable(),
  recorded_status: z.number().int().nullable(),
  started_at: timestamp,
  duration_ms: z.number(),
  sent_bytes: z.number(),
  received_bytes: z.number(),
  failure: z.string().nullable(),
  cause: z.string().nullable().describe('Group of the failure; see causes.'),
})
export type ActionResultShape = z.output<typeof actionResultShape>

export const exampleValidation: ValidationShape = {
  id: 'val_01',
  virtual_user_id: 'vu_01',
  version: 3,
  state: 'FAILED',
  iterations: 1,
  passed: 6,
  failed: 1,
  skipped: 0,
  message: '1 of 7 actions failed.',
  created_at: '2026-11-20T10:00:00.000Z',
  started_at: '2026-11-20T10:00:01.000Z',
  finished_at: '2026-11-20T10:00:02.000Z',
  expires_at: '2026-12-20T10:00:00.000Z',
  task_id: 'tsk_01',
}

export const exampleActionResult: ActionResultShape = {
  sequence: 4,
  iteration: 1,
  action_id: 'act_05',
  type: 'http_request',
  name: 'POST /login',
  path: ['act_01'],
  outcome: 'failed',
  status: 403,
  recorded_status: 302,
  started_at: '2026-11-20T10:00:01.400Z',
  duration_ms: 12.5,
  sent_bytes: 320,
  received_bytes: 512,
  failure: 'It answered 403; recorded was 302.',
  cause: 'stale_value',
}

/** Path of the page of a validation. */
export function validationLink(validation: { id: string; virtual_user_id: string }): string {
  return `/virtual-users/${validation.virtual_user_id}/validations/${validation.id}`
}
