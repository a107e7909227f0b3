import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { ssoRoleSchema } from './sso-shapes.ts'

export const scimTokenShape = z.object({
  prefix: z.string().describe('What the secret begins with.'),
  default_role: ssoRoleSchema.describe('Role of whoever is made a member.'),
  created_at: timestamp,
  last_used_at: timestamp.nullable().describe('When the provider last called, to the minute; null: never.'),
})

export const scimShape = z.object({
  workspace_id: z.string(),
  base_url: z.string().describe('What the provider is told as base URL, or tenant URL.'),
  token: scimTokenShape.nullable().describe('null: nothing is provisioned.'),
})

export const exampleScim: z.input<typeof scimShape> = {
  workspace_id: 'ws_01',
  base_url: 'https://flamegate.example/scim/v2',
  token: {
    prefix: 'fg_abcde',
    default_role: 'member',
    created_at: '2026-11-20T09:00:00.000Z',
    last_used_at: '2026-11-20T10:00:00.000Z',
  },
}
