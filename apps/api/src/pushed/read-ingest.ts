import { Problem } from '@flamegate/contract'
import { z } from 'zod'
import { countedStacks } from './counted-stacks.ts'
import { readLabelSet, tagsOf } from './label-set.ts'
import { readPushTime } from './push-time.ts'
import type { PushedProfile } from './pushed-profile.ts'

const query = z.object({
  name: z.string().max(10_000),
  from: z.string().max(40).optional(),
  until: z.string().max(40).optional(),
  format: z.string().max(40).optional(),
  sampleRate: z.coerce.number().int().min(0).max(1e9).optional().catch(undefined),
})

type Kind = 'pprof' | 'jfr' | 'speedscope' | 'folded' | 'lines' | 'trie' | 'tree'

const kindOfFormat: Readonly<Record<string, Kind>> = {
  pprof: 'pprof',
  jfr: 'jfr',
  speedscope: 'speedscope',
  folded: 'folded',
  groups: 'folded',
  lines: 'lines',
  trie: 'trie',
  tree: 'tree',
}
const kindOfContentType: Readonly<Record<string, Kind>> = {
  'binary/octet-stream+trie': 'trie',
  'binary/octet-stream+tree': 'tree',
}
const fileNames: Readonly<Record<Kind, string>> = {
  pprof: 'profile.pb',
  jfr: 'profile.jfr',
  speedscope: 'profile.speedscope.json',
  folded: 'stacks.txt',
  lines: 'stacks.lines.txt',
  trie: 'stacks.trie',
  tree: 'stacks.tree',
}
const contextsNote =
  'What the agent sent beside the recording, the contexts of its samples, was not read; labels of the application are tags.'

/**
 * Reads a request to Pyroscope's `/ingest`: what it says of the profile, and the profile as it came. There is none where
 * the agent had nothing to tell.
 * @param contentType of the body, which is raw or multipart
 * @see https://github.com/grafana/pyroscope/blob/main/pkg/ingester/pyroscope/ingest_handler.go
 * @throws Problem `invalid_input`, `malformed_request`
 */
export async function readIngest(
  rawQuery: unknown,
  contentType: string,
  body: Uint8Array,
): Promise<PushedProfile[]> {
  const read = query.safeParse(rawQuery)
  if (!read.success) {
    throw new Problem('invalid_input', 'name: give the name of the application, as app{region=eu}.')
  }
  const { name, from, until, format, sampleRate } = read.data
  const { name: application, labels } = readLabelSet(name)
  const isForm = contentType.includes('multipart/form-data')
  const kind = kindOf(format, contentType, isForm)
  const { content, notes } = isForm
    ? await readForm(contentType, body, kind === 'jfr' ? 'jfr' : 'profile')
    : { content: body, notes: [] }
  if (content.length === 0) return []
  const counted =
    kind === 'pprof' || kind === 'jfr' || kind === 'speedscope'
      ? { service: application }
      : countedStacks(application, kind, sampleRate)
  return [
    {
      about: {
        file_name: fileNames[kind],
        tags: tagsOf(labels),
        notes,
        ...counted,
        service: (labels.get('service_name') || counted.service).slice(0, 200),
        ...timesOf(readPushTime(from), readPushTime(until)),
      },
      content,
    },
  ]
}

/** Counted stacks, where nothing else is said. */
function kindOf(format: string | undefined, contentType: string, isForm: boolean): Kind {
  const known = format !== undefined && Object.hasOwn(kindOfFormat, format) ? kindOfFormat[format] : undefined
  return known ?? kindOfContentType[contentType] ?? (isForm ? 'pprof' : 'folded')
}

function timesOf(startedAt: Date | undefined, endedAt: Date | undefined) {
  if (startedAt === undefined) return {}
  const durationMs = endedAt === undefined ? -1 : endedAt.getTime() - startedAt.getTime()
  return {
    started_at: startedAt.toISOString(),
    ...(durationMs < 0 ? {} : { duration_ms: durationMs }),
  }
}

/** The part of a form that is the profile. What pprof's `sample_type_config` says, the profile says itself. */
async function readForm(
  contentType: string,
  body: Uint8Array,
  field: 'profile' | 'jfr',
): Promise<{ content: Uint8Array; notes: string[] }> {
  const form = await new Response(Buffer.from(body), { headers: { 'content-type': contentType } })
    .formData()
    .catch((cause: unknown) => {
      throw new Problem('malformed_request', 'The body is no multipart form that can be read.', { cause })
    })
  if (form.has('prev_profile')) {
    throw new Problem(
      'invalid_input',
      'prev_profile: profiles that count on from the one before are not taken. Update github.com/grafana/pyroscope-go.',
    )
  }
  const file = form.get(field)
  if (file === null) throw new Problem('invalid_input', `${field}: the form has no such part.`)
  const content = typeof file === 'string' ? Buffer.from(file) : new Uint8Array(await file.arrayBuffer())
  return { content, notes: field === 'jfr' && form.has('labels') ? [contextsNote] : [] }
}
