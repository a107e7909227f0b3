import { z } from 'zod'
import { timestamp } from '../fields.ts'

export const targetId = z.string().min(1).max(64).describe('Id of the target (tgt_…).')

/** A host that a project may aim virtual users at, or wants to. */
export const targetShape = z.object({
  id: z.string(),
  project_id: z.string(),
  host: z.string().describe('*.example.com: what is under example.com.'),
  is_verified: z.boolean(),
  method: z.enum(['file', 'dns']).nullable().describe('Where the token was found.'),
  verified_at: timestamp.nullable(),
  checked_at: timestamp.nullable().describe('null: nobody looked yet.'),
  failure: z.string().nullable().describe('What was there instead of the token, at the last look.'),
  created_at: timestamp,
})

export const exampleTarget: z.output<typeof targetShape> = {
  id: 'tgt_01',
  project_id: 'prj_01',
  host: 'shop.example.com',
  is_verified: false,
  method: null,
  verified_at: null,
  checked_at: null,
  failure: null,
  created_at: '2026-11-20T10:00:00.000Z',
}
