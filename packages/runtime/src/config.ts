import { z } from 'zod'

/** What a setting's schema may say about itself besides its description: `z.string().meta({ secret: true })`. */
interface SettingMeta {
  description?: string
  /** Never shown: not in errors, not in the reference page's default column. */
  secret?: boolean
  /** How the reference page and errors name the type, when the schema alone says too little: `a list, comma-separated`. */
  kind?: string
}

/** One row of the settings reference page. */
export interface SettingRow {
  name: string
  /** In words: `a whole number from 1 to 65535`, `one of json, text`. */
  type: string
  /** As one would write it in the environment; undefined when there is none. */
  default: string | undefined
  description: string
  secret: boolean
}

/** The environment did not fit. `message` has one line per variable and is meant to be printed as it is. */
export class ConfigError extends Error {
  override name = 'ConfigError'
  readonly isForOperator = true
}

/**
 * Reads an app's settings out of the environment, once, all problems at once. An empty variable counts as not set,
 * because `.env` files and compose files cannot say it otherwise. One of ours that is nearly called like a setting is refused:
 * left alone, it would change nothing, and nobody would hear of it. Others are those of other apps.
 * @throws ConfigError that names each variable, what was wrong with it and what to do.
 */
export function readConfig<S extends z.ZodObject>(
  schema: S,
  env: Readonly<Record<string, string | undefined>>,
): z.output<S> {
  const given = Object.fromEntries(
    Object.keys(schema.shape).flatMap((name) => {
      const value = env[name]?.trim()
      return value === undefined || value === '' ? [] : [[name, value]]
    }),
  )
  const result = schema.safeParse(given)
  const misspelt = Object.keys(env).flatMap((name) => wordsOnMisspelt(name, schema))
  if (result.success && misspelt.length === 0) return result.data
  const rows = new Map(describeConfig(schema).map((row) => [row.name, row]))
  const wrong = (result.error?.issues ?? []).map((issue) => {
    const name = String(issue.path[0] ?? '')
    const row = rows.get(name)
    // An issue without a variable comes from a refinement over several of them, whose message says it all.
    return row ? `  ${name} ${whatIsWrong(row, given[name], issue)}` : `  ${issue.message}`
  })
  const lines = [...misspelt, ...wrong]
  const heading = lines.length === 1 ? 'A setting is not right:' : `${lines.length} settings are not right:`
  throw new ConfigError([heading, ...new Set(lines)].join('\n'))
}

/** The settings of an app in the order of its schema, for the generated reference page and for `--help`. */
export function describeConfig(schema: z.ZodObject): SettingRow[] {
  return Object.entries(schema.shape).map(([name, field]) => {
    const layers = unwrap(field)
    const meta: SettingMeta = Object.assign({}, ...layers.map((layer) => layer.meta() ?? {}).toReversed())
    const withDefault = layers.find((layer) => layer instanceof z.ZodDefault)
    return {
      name,
      type: meta.kind ?? typeInWords(layers.at(-1)),
      default: withDefault && meta.secret !== true ? asText(withDefault.def.defaultValue) : undefined,
      description: meta.description ?? '',
      secret: meta.secret === true,
    }
  })
}

/** The schema and everything it wraps, outermost first: `optional(default(number))` gives three. */
function unwrap(field: z.core.$ZodType): z.ZodType[] {
  const layers: z.ZodType[] = []
  let next: z.core.$ZodType | undefined = field
  while (next instanceof z.ZodType) {
    layers.push(next)
    if (next instanceof z.ZodOptional || next instanceof z.ZodDefault || next instanceof z.ZodPrefault) {
      next = next.def.innerType
    } else if (next instanceof z.ZodPipe) {
      // `string -> transform -> boolean` is a boolean to the reader; `string -> transform` is a string.
      next = next.def.out instanceof z.ZodTransform ? next.def.in : next.def.out
    } else {
      next = undefined
    }
  }
  return layers
}

function typeInWords(type: z.ZodType | undefined): string {
  if (type instanceof z.ZodNumber) return numberInWords(type)
  if (type instanceof z.ZodBoolean) return 'true or false'
  if (type instanceof z.ZodEnum) return `one of ${type.options.join(', ')}`
  if (type instanceof z.ZodURL) return 'a URL'
  return 'text'
}

function numberInWords(type: z.ZodNumber): string {
  const noun = type.format === 'safeint' ? 'a whole number' : 'a number'
  // Integers carry the safe-integer limits by themselves; nobody set those.
  const min = type.minValue !== null && type.minValue > Number.MIN_SAFE_INTEGER ? type.minValue : undefined
  const max = type.maxValue !== null && type.maxValue < Number.MAX_SAFE_INTEGER ? type.maxValue : undefined
  if (min !== undefined && max !== undefined) return `${noun} from ${min} to ${max}`
  if (min !== undefined) return `${noun} of at least ${min}`
  if (max !== undefined) return `${noun} of at most ${max}`
  return noun
}

/** A line on a variable that is no setting, and is named almost as one; none on any other. */
function wordsOnMisspelt(name: string, { shape }: z.ZodObject): string[] {
  if (!name.startsWith('FLAMEGATE_') || name in shape) return []
  const meant = Object.keys(shape).find((setting) => areAlike(name, setting))
  return meant === undefined
    ? []
    : [`  ${name} is no setting. Is ${meant} meant? Rename it, or leave it out.`]
}

/** Whether two names differ by one or two letters that were forgotten, added or mistaken. */
function areAlike(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > mistakesMax) return false
  // Levenshtein, a row at a time: how many mistakes lead from the beginning of one to each beginning of the other.
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let index = 0; index < a.length; index++) {
    const next = [index + 1]
    for (let place = 0; place < b.length; place++) {
      const mistaken = (row[place] ?? 0) + (a[index] === b[place] ? 0 : 1)
      next.push(Math.min(mistaken, (row[place + 1] ?? 0) + 1, (next[place] ?? 0) + 1))
    }
    row = next
  }
  return (row.at(-1) ?? 0) <= mistakesMax
}

const mistakesMax = 2

function whatIsWrong(row: SettingRow, value: unknown, issue: z.core.$ZodIssue): string {
  const about = row.description === '' ? '' : ` ${row.description}`
  if (value === undefined) return `is not set. Set it to ${row.type}.${about}`
  const shown = row.secret ? 'has a value that does not fit' : `is ${JSON.stringify(value)}`
  const leaveOut =
    row.default === undefined
      ? ''
      : row.default === ''
        ? ', or leave it out'
        : `, or leave it out for ${row.default}`
  const why = issue.code === 'custom' ? ` ${issue.message}` : ''
  return `${shown}.${why} Set it to ${row.type}${leaveOut}.${about}`
}

function asText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}
