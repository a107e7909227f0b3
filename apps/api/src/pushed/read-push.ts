import { Problem } from '@flamegate/contract'
import { z } from 'zod'
import { jsonBody } from './json-body.ts'
import { tagsOf } from './label-set.ts'
import { lengthDelimited } from './protobuf-fields.ts'
import type { PushedProfile } from './pushed-profile.ts'

const profilesMax = 500
const containersMax = 50_000

interface Series {
  labels: Map<string, string>
  profiles: Uint8Array[]
}

const pushJson = z.object({
  series: z
    .array(
      z.object({
        labels: z
          .array(z.object({ name: z.string().default(''), value: z.string().default('') }))
          .default([]),
        samples: z.array(z.object({ rawProfile: z.base64().default('') })).default([]),
      }),
    )
    .default([]),
})

/**
 * Reads a `push.v1.PushRequest`, as Alloy and newer SDKs push it: series of pprof profiles with labels.
 * @param isJson in the JSON form of protocol buffers
 * @see https://github.com/grafana/pyroscope/blob/main/api/push/v1/push.proto
 * @throws Problem `malformed_request`, `invalid_input`
 */
export function readPush(body: Uint8Array, isJson: boolean): PushedProfile[] {
  const pushed = (isJson ? seriesOfJson(body) : seriesOfProtobuf(body)).flatMap(({ labels, profiles }) =>
    profiles
      .filter((content) => content.length > 0)
      .map((content) => ({
        about: {
          file_name: 'profile.pb',
          tags: tagsOf(labels),
          ...serviceOf(labels),
        },
        content,
      })),
  )
  if (pushed.length > profilesMax) {
    throw new Problem('too_large', `${pushed.length} profiles in one request; ${profilesMax} are the most.`)
  }
  return pushed
}

function serviceOf(labels: ReadonlyMap<string, string>): { service?: string } {
  const service = labels.get('service_name') || labels.get('app_name')
  return service ? { service: service.slice(0, 200) } : {}
}

function seriesOfProtobuf(body: Uint8Array): Series[] {
  const decoder = new TextDecoder()
  return messages(body, 1).map((series) => ({
    labels: new Map(
      messages(series, 1).map((label) => {
        const [name = '', value = ''] = [1, 2].map((field) => decoder.decode(messages(label, field).at(-1)))
        return [name, value]
      }),
    ),
    profiles: messages(series, 2).flatMap((sample) => messages(sample, 1).slice(-1)),
  }))
}

function messages(message: Uint8Array, wanted: number): Uint8Array[] {
  return [...lengthDelimited(message)].flatMap(({ field, content }) => (field === wanted ? [content] : []))
}

function seriesOfJson(body: Uint8Array): Series[] {
  const read = pushJson.safeParse(jsonBody(body, containersMax))
  if (!read.success) {
    const errors = read.error.issues.map(({ path, message }) => ({ field: path.join('.'), message }))
    throw new Problem('invalid_input', 'This is no push.v1.PushRequest.', { errors })
  }
  return read.data.series.map(({ labels, samples }) => ({
    labels: new Map(labels.map(({ name, value }) => [name, value])),
    profiles: samples.map(({ rawProfile }) => Buffer.from(rawProfile, 'base64')),
  }))
}
