import { z } from 'zod'

/** The two fields every listing takes. */
export const pageInput = {
  limit: z.number().int().min(1).max(100).default(20).describe('How many to return at most.'),
  cursor: z.string().max(500).optional().describe('next_cursor of the page before.'),
}

/** What every listing answers beside its rows. */
export const pageOutput = {
  next_cursor: z.string().nullable().describe('Pass as cursor to get the next page; null on the last one.'),
}
