import { z } from 'zod'
import { timestamp } from '../fields.ts'

/** A file as it was uploaded, or made here. */
export const fileShape = z.object({
  id: z.string(),
  project_id: z.string().nullable(),
  run_id: z.string().nullable().describe('The run it was uploaded for.'),
  kind: z.enum([
    'results',
    'profile',
    'project_file',
    'import',
    'recording',
    'validation',
    'report',
    'request_log',
    'agent_log',
    'failed_exchanges',
    'page_trace',
  ]),
  name: z.string(),
  size_bytes: z.number().int(),
  sha256: z.string().nullable().describe('Hex, once the file has been read.'),
  status: z.enum(['PENDING', 'READY']).describe('PENDING until its bytes have come and been read.'),
  created_at: timestamp,
})

export const exampleFile: z.output<typeof fileShape> = {
  id: 'fil_01',
  project_id: 'prj_01',
  run_id: 'run_01',
  kind: 'results',
  name: 'bench.txt',
  size_bytes: 4821,
  sha256: null,
  status: 'READY',
  created_at: '2026-11-20T10:00:00.000Z',
}
