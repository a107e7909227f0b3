import { z } from 'zod'
import { duration } from '../model/action.ts'
import { filePath, template, variableName } from '../model/template.ts'
import { load } from './load.ts'
import { threshold } from './threshold.ts'

/** User profiles of a scenario, at most. */
const profilesMax = 100

/** What runs a profile: our own engine, or the unchanged script of another one, on private agents that have it. */
const engine = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('flamegate') }),
  z.strictObject({ type: z.literal('k6'), path: filePath.describe('Of the project file with the script.') }),
  z.strictObject({ type: z.literal('jmeter'), path: filePath.describe('Of the project file with the JMX.') }),
])

const bitsPerSecond = z
  .int()
  .min(1000)
  .max(100_000_000_000)
  .nullable()
  .default(null)
  .describe('Bits per second of one user; null: as fast as it goes.')

/** Who puts which load on the system, from where: a virtual user under a load, in one agent group. */
export const userProfile = z
  .strictObject({
    id: z.string().min(1).max(64).describe('Unique in the scenario; thresholds and results name it.'),
    name: z.string().min(1).max(80),
    enabled: z.boolean().default(true),
    virtual_user_id: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .default(null)
      .describe('Of the same project (vu_…); null with the engines k6 and jmeter.'),
    engine: engine.prefault({ type: 'flamegate' }),
    agent_group: z.string().min(1).max(60).default('default').describe('Which agents, and so from where.'),
    load,
    start_delay_ms: z.int().min(0).max(604_800_000).default(0).describe('After the start of the run.'),
    think_time_factor: z
      .number()
      .min(0)
      .max(100)
      .default(1)
      .describe('Delays take this many times as long, beside the factor of the virtual user.'),
    pacing: duration
      .nullable()
      .default(null)
      .describe('From one start of an iteration to the next, at least; closed loads only.'),
    network: z
      .strictObject({
        download_bits_per_second: bitsPerSecond,
        upload_bits_per_second: bitsPerSecond,
        latency_ms: z.number().min(0).max(60_000).default(0).describe('Added to each request.'),
      })
      .prefault({}),
    keep_alive: z.boolean().default(true).describe('Connections are used again.'),
    http_version: z
      .enum(['of_server', 'http/1.1', 'h2'])
      .default('of_server')
      .describe('of_server: as the HTTP server of the project says.'),
    proxy_url: z
      .string()
      .max(2000)
      .regex(/^https?:\/\/[^\s/?#]+\/?$/i, 'Write http:// or https://, a host, and perhaps a port.')
      .nullable()
      .default(null)
      .describe('${…} may stand in it.'),
    variables: z
      .record(variableName, template)
      .default({})
      .describe('Values for this profile, in place of what the variables give.'),
  })
  .superRefine((profile, context) => {
    const refuse = (field: string, message: string) =>
      context.addIssue({ code: 'custom', path: [field], message })
    const isOurs = profile.engine.type === 'flamegate'
    if (isOurs && profile.virtual_user_id === null) refuse('virtual_user_id', 'Say which virtual user it is.')
    if (!isOurs && profile.virtual_user_id !== null)
      refuse('virtual_user_id', `${profile.engine.type} runs its own script: leave it out.`)
    if ('users_max' in profile.load && profile.pacing !== null)
      refuse('pacing', 'The rate says when iterations begin: leave it out.')
  })
export type UserProfile = z.infer<typeof userProfile>

/** What a load test runs, how much of it, and what it must keep to. */
export const scenario = z
  .strictObject({
    schema_version: z.literal(1).default(1),
    name: z.string().min(1).max(80),
    description: z.string().max(2000).default(''),
    tags: z.array(z.string().min(1).max(60)).max(20).default([]),
    profiles: z.array(userProfile).max(profilesMax),
    thresholds: z
      .array(threshold)
      .max(200)
      .default([])
      .describe(
        'Each may be given as text: p95 duration of container "checkout" < 400 ms, abort after 30 s.',
      ),
    on_agent_lost: z
      .enum(['redistribute', 'degrade', 'stop'])
      .default('redistribute')
      .describe('Its users go to the others; or the run goes on with fewer, and says so; or it ends.'),
  })
  .superRefine(({ profiles }, context) => {
    for (const [index, { id }] of profiles.entries()) {
      const first = profiles.findIndex((each) => each.id === id)
      if (first !== index)
        context.addIssue({
          code: 'custom',
          path: ['profiles', index, 'id'],
          message: `${id} is the id of /profiles/${first} already.`,
        })
    }
  })
export type Scenario = z.infer<typeof scenario>
