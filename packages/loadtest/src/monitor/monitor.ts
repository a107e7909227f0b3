import { z } from 'zod'

/** Counters that are kept of one monitor, at most. */
export const countersMax = 200
const nameMax = 80

/** Which counters: their names, where `*` stands for anything. */
const counterPatterns = z.array(z.string().min(1).max(300))

const threshold = z
  .strictObject({
    name: z.string().min(1).max(100),
    counters: counterPatterns.min(1).max(50).describe('Names; * stands for anything.'),
    severity: z.enum(['warning', 'critical']).default('warning'),
    above: z.number().nullable().default(null),
    below: z.number().nullable().default(null),
    between: z.tuple([z.number(), z.number()]).nullable().default(null).describe('Both ends belong to it.'),
    occurrences: z.int().min(1).max(10_000).nullable().default(null).describe('So many values in a row.'),
    seconds: z
      .number()
      .positive()
      .max(86_400)
      .nullable()
      .default(null)
      .describe('For so long without a break.'),
  })
  .superRefine(({ above, below, between, occurrences, seconds }, context) => {
    if ([above, below, between].filter((each) => each !== null).length !== 1)
      context.addIssue({ code: 'custom', message: 'Give one of above, below and between.' })
    if (between !== null && between[0] > between[1])
      context.addIssue({ code: 'custom', path: ['between'], message: 'The lower end comes first.' })
    if (occurrences !== null && seconds !== null)
      context.addIssue({ code: 'custom', message: 'Give occurrences or seconds, not both.' })
  })
export type MonitorThreshold = z.infer<typeof threshold>

const common = {
  schema_version: z.literal(1).default(1),
  name: z.string().min(1).max(nameMax),
  description: z.string().max(2000).default(''),
  enabled: z.boolean().default(true).describe('Collected in runs of the project.'),
  agent_group: z
    .string()
    .regex(/^[\w.-]{1,60}$/, 'Use letters, digits, dots, underscores and dashes.')
    .default('default')
    .describe('One of the agents of this group collects it: flamegate monitor --group.'),
  interval_seconds: z.int().min(1).max(3600).default(5).describe('Between two values.'),
  counters: counterPatterns
    .max(countersMax)
    .default([])
    .describe('Names, where * stands for anything. Empty: the usual ones of the type.'),
  thresholds: z.array(threshold).max(50).default([]),
}

const webAddress = z
  .url({ protocol: /^https?$/, message: 'Give an http or https address.' })
  .max(2000)
  .refine((text) => !/^\w+:\/\/[^/?#]*@/.test(text), 'Give the user as user, the password as the secret.')

/** Over HTTP. With a user, the secret is its password; without one, it is a bearer token. */
const http = { target_url: webAddress, user: z.string().max(200).default('') }

/** By a protocol of its own; the secret is the password. */
const server = (port: number) => ({
  host: z.string().min(1).max(255).default('127.0.0.1'),
  port: z.int().min(1).max(65_535).default(port),
  tls: z
    .enum(['disable', 'require', 'verify_full'])
    .default('disable')
    .describe('require: encrypted; verify_full: and the certificate is checked.'),
})

const mbean = z.strictObject({
  mbean: z.string().min(1).max(500).describe('java.lang:type=Memory'),
  attributes: z
    .array(z.string().min(1).max(200))
    .max(50)
    .default([])
    .describe('Empty: all that are numbers.'),
  is_monotone: z.boolean().default(false).describe('They only rise: kept as what is added per second.'),
})

/** What is collected of a system under test, by an agent near it. The secret is kept beside it. */
export const monitor = z.discriminatedUnion('type', [
  z
    .strictObject({ type: z.literal('linux'), ...common })
    .describe('The machine that the agent is on: processor, memory, disks, network.'),
  z
    .strictObject({ type: z.literal('prometheus'), ...common, ...http })
    .describe('An address that answers in the Prometheus text format or OpenMetrics.'),
  z
    .strictObject({
      type: z.literal('postgres'),
      ...common,
      ...server(5432),
      user: z.string().min(1).max(200),
      database: z.string().min(1).max(200).default('postgres'),
    })
    .describe('PostgreSQL; the role pg_monitor is enough.'),
  z
    .strictObject({
      type: z.literal('mysql'),
      ...common,
      ...server(3306),
      user: z.string().min(1).max(200),
    })
    .describe('MySQL or MariaDB: SHOW GLOBAL STATUS.'),
  z
    .strictObject({
      type: z.literal('redis'),
      ...common,
      ...server(6379),
      user: z.string().max(200).default(''),
    })
    .describe('Redis or Valkey: INFO.'),
  z.strictObject({ type: z.literal('nginx'), ...common, ...http }).describe('The address of stub_status.'),
  z
    .strictObject({
      type: z.literal('jolokia'),
      ...common,
      ...http,
      mbeans: z
        .array(mbean)
        .max(50)
        .default([])
        .describe('Empty: memory, threads, collections, classes, load.'),
    })
    .describe('MBeans of a JVM through Jolokia.'),
  z
    .strictObject({
      type: z.literal('otlp'),
      ...common,
      port: z.int().min(1).max(65_535).default(4318),
    })
    .describe('The agent listens on loopback for metrics over OTLP/HTTP, at /v1/metrics.'),
])
export type Monitor = z.infer<typeof monitor>
export type MonitorType = Monitor['type']
export const monitorTypes = monitor.options.map(({ shape }) => shape.type.value)
