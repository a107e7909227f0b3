import { z } from 'zod'
import { duration } from '../model/action.ts'
import { filePath, template, variableName } from '../model/template.ts'
import { load } from './load.ts'
import { threshold } from './threshold.ts'

/** User profiles of a scenario, at most. */
const profilesMax = 100

/** Engines that others made, by the name of their program. */
export const otherEngines = ['k6', 'jmeter'] as const
export type OtherEngineName = (typeof otherEngines)[number]

/** What an engine is called, by the name of its program. */
export function engineTitle(name: string): string {
  return name === 'jmeter' ? 'JMeter' : name
}

const otherFiles = z
  .array(filePath)
  .max(100)
  .default([])
  .describe('Other project files that it reads; they lie beside it by their paths.')

/** What runs a profile: our own engine, or the unchanged script of another one, on private agents that have it. */
const engine = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('flamegate') }),
  z.strictObject({
    type: z.literal('k6'),
    path: filePath.describe('Of the project file with the script.'),
    files: otherFiles,
    has_own_load: z
      .boolean()
      .default(false)
      .describe('The options of the script say how much load it makes; that of the profile when it ends.'),
  }),
  z.strictObject({
    type: z.literal('jmeter'),
    path: filePath.describe('Of the project file with the JMX.'),
    files: otherFiles,
  }),
])
export type OtherEngine = Exclude<z.infer<typeof engine>, { type: 'flamegate' }>

const bitsPerSecond = z
  .int()
  .min(1000)
  .max(100_000_000_000)
  .nullable()
  .default(null)
  .describe('Bits per second of one user, on all of its connections together; null: as fast as it goes.')

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
      .describe(
        'From one start of an iteration to the next, at least; one that took longer is followed at once. Closed loads only.',
      ),
    network: z
      .strictObject({
        download_bits_per_second: bitsPerSecond,
        upload_bits_per_second: bitsPerSecond,
        latency_ms: z
          .number()
          .min(0)
          .max(60_000)
          .default(0)
          .describe('A round trip: added to each request, and to the opening of each connection.'),
      })
      .prefault({}),
    keep_alive: z
      .boolean()
      .default(true)
      .describe('Connections are used again; false: each request has a new one, with a full TLS handshake.'),
    http_version: z
      .enum(['of_server', 'http/1.1', 'h2'])
      .default('of_server')
      .describe(
        'Of all servers; of_server: as the HTTP server of the project says. Over TLS, HTTP/1.1 is spoken where a server has no h2.',
      ),
    proxy_url: z
      .string()
      .max(2000)
      .regex(/^https?:\/\/[^\s/?#]+\/?$/i, 'Write http:// or https://, a host, and perhaps a port.')
      .nullable()
      .default(null)
      .describe(
        'Requests go through it; its host has to be verified, as those of the servers. ${…} may stand in it: http://${user}:${password}@proxy.example.com:3128, where password is a secret.',
      ),
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
      refuse('virtual_user_id', `${engineTitle(profile.engine.type)} runs its own script: leave it out.`)
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
    result_files: z
      .array(z.enum(['jtl', 'parquet', 'page_traces']))
      .max(3)
      .default([])
      .describe(
        'Every request as a row of a file: a JTL of JMeter, or Parquet; page_traces: Playwright traces of a few page actions, with all that their pages show and send.',
      ),
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
