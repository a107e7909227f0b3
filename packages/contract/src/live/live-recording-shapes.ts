import { z } from 'zod'
import { timestamp } from '../fields.ts'
import { table } from '../markdown.ts'
import { formatBytes } from '../quantity.ts'
import { spanText } from './live-shapes.ts'

export const liveRecordingShape = z.object({
  id: z.string().describe('Questions about live apps take it in place of live_app_id.'),
  project_id: z.string(),
  live_app_id: z.string().describe('What it is of; it may be deleted since.'),
  app: z.string().describe('Name of the app when it was made.'),
  name: z.string(),
  note: z.string().nullable(),
  from: timestamp,
  to: timestamp,
  processes: z.number().int().describe('Those that pushed in this time.'),
  sections: z.array(z.string()).describe('What it tells of.'),
  size_bytes: z.number().int(),
  created_by: z.string().describe('Id of the user who pinned it.'),
  created_at: timestamp,
})

export const exampleLiveRecording = {
  id: 'lrc_01',
  project_id: 'prj_01',
  live_app_id: 'app_01',
  app: 'shop',
  name: 'Before the fix',
  note: null,
  from: '2026-11-22T09:59:00.000Z',
  to: '2026-11-22T10:00:00.000Z',
  processes: 1,
  sections: ['channels', 'functions_timing'],
  size_bytes: 48_000,
  created_by: 'usr_01',
  created_at: '2026-11-22T10:00:02.000Z',
}

/** Live recordings as a table. */
export function liveRecordingsTable(recordings: readonly z.output<typeof liveRecordingShape>[]): string {
  return table(
    ['Recording', 'Id', 'Of', 'From', 'Length', 'Processes', 'Tells of', 'Size', 'Note'],
    recordings.map(({ from, to, ...recording }) => [
      recording.name,
      recording.id,
      `${recording.app} (${recording.live_app_id})`,
      from,
      spanText((Date.parse(to) - Date.parse(from)) / 1000),
      recording.processes,
      recording.sections.join(', '),
      formatBytes(recording.size_bytes),
      recording.note,
    ]),
    'No live recordings. pin_live_recording makes one.',
  )
}
