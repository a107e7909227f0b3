import { z } from 'zod'
import { depthMax } from '../model/action.ts'
import { correlationRule, injectionRule } from '../model/correlation-rule.ts'
import { httpServer } from '../model/http-server.ts'
import { variable } from '../model/variable.ts'
import { virtualUser } from '../model/virtual-user.ts'
import { monitor } from '../monitor/monitor.ts'
import { benchReport, reportTemplate } from '../report/bench-report.ts'
import { scenario } from '../scenario/scenario.ts'
import { slaProfile } from '../sla/sla-profile.ts'
import { schemaNames } from './schema-names.ts'

type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema of a kind of document, for programs and agents that write one. */
export interface DesignSchema {
  /** `vu`: its file is `vu.json`. */
  name: string
  title: string
  description: string
  /** JSON Schema 2020-12, without `$schema` and `$id`. What has a name of its own is in `$defs`. */
  schema: JsonSchema
}

/** Of each kind of document, from the zod schemas that every document is read by. */
export function designSchemas(): DesignSchema[] {
  return [
    {
      name: schemaNames.virtual_user,
      title: 'Virtual user',
      description: `What a virtual user does, as patch_virtual_user changes it. Beside what is said here, no id comes twice, and actions are at most ${depthMax} levels deep.`,
      schema: writable(virtualUser),
    },
    {
      name: schemaNames.variable,
      title: 'Variable',
      description: 'A variable of a project: the fields of each type that create_variable takes.',
      schema: writable(variable),
    },
    {
      name: schemaNames.http_server,
      title: 'HTTP server',
      description: 'An HTTP server of a project, which requests of virtual users name by its id.',
      schema: writable(httpServer),
    },
    {
      name: schemaNames.correlation_rule,
      title: 'Correlation rule',
      description: 'A correlation rule of a project: where a value is found, and where it is sent later.',
      schema: writable(correlationRule),
    },
    {
      name: 'injection-rules',
      title: 'Injection rule',
      description: 'The fields of a correlation rule that say where its value is sent.',
      schema: writable(injectionRule),
    },
    {
      name: schemaNames.scenario,
      title: 'Scenario',
      description:
        'Virtual users under loads, and thresholds, for create_scenario and patch_scenario. Also checked: ids are unique, times of points rise from 0 on, and fields fit one another.',
      schema: scenarioSchema(),
    },
    {
      name: schemaNames.bench_report,
      title: 'Bench report',
      description:
        'What a bench report shows, as patch_bench_report changes it. Also checked: ids are unique, items name runs that the report has, a trend says of which runs it is, and a scatter chart has two lines.',
      schema: writable(benchReport),
    },
    {
      name: schemaNames.report_template,
      title: 'Report template',
      description: 'Items that reports are made from. Also checked: ids are unique.',
      schema: writable(reportTemplate),
    },
    {
      name: schemaNames.sla_profile,
      title: 'SLA profile',
      description:
        'What a service is to keep to, for set_sla_profile. Also checked: metrics have the statistic or target that they need, and ranges hold something.',
      schema: writable(slaProfile),
    },
    {
      name: schemaNames.monitor,
      title: 'Monitor',
      description:
        'What is collected of a system under test, for set_monitor. Also checked: a threshold has one limit, and addresses hold no password.',
      schema: writable(monitor),
    },
  ]
}

/** That of a scenario: thresholds are written as text, too. */
function scenarioSchema(): JsonSchema {
  const schema = writable(scenario)
  const thresholds = schema.properties?.['thresholds']
  if (
    typeof thresholds !== 'object' ||
    typeof thresholds.items !== 'object' ||
    Array.isArray(thresholds.items)
  )
    throw new TypeError('A scenario has a list of thresholds.')
  const text = {
    type: 'string',
    description: 'p95 duration of container "pay" < 400 ms, abort after 30 s',
  } as const
  thresholds.items = { anyOf: [text, thresholds.items] }
  return schema
}

/** The schema of a document as an author writes it: fields with a default may be left out. */
function writable(type: z.ZodType): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(type, {
    io: 'input',
    override: ({ zodSchema, jsonSchema }) => {
      // The pattern and contentEncoding say the same; a validator refuses to read a format that it does not know.
      if (jsonSchema.format === 'base64') delete jsonSchema.format
      // What it may be says of which type it is.
      if (jsonSchema.const !== undefined || jsonSchema.enum !== undefined) delete jsonSchema.type
      sayDiscriminator(zodSchema, jsonSchema)
    },
  })
  return schema
}

/** A union says by which field its branches differ, and all that it may be, so that a fault is not told once per branch. */
function sayDiscriminator(zodSchema: z.core.$ZodTypes, jsonSchema: JsonSchema): void {
  // oxlint-disable-next-line no-underscore-dangle -- where zod keeps what libraries may know: https://zod.dev/library-authors
  const { def, propValues } = zodSchema._zod
  if (!('discriminator' in def) || jsonSchema.oneOf === undefined) return
  const field = String(def.discriminator)
  const branches = jsonSchema.oneOf
  delete jsonSchema.oneOf
  Object.assign(jsonSchema, {
    type: 'object',
    required: [field],
    properties: { [field]: { enum: [...(propValues?.[field] ?? [])] } },
    oneOf: branches,
  })
}
