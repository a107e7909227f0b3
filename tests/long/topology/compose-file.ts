import { readFileSync } from 'node:fs'
import { parse } from 'yaml'
import { z } from 'zod'

const words = z.union([z.string(), z.array(z.string())])
const text = z.union([z.string(), z.number(), z.boolean()]).transform(String)

const service = z.object({
  image: z.string(),
  command: words.optional(),
  entrypoint: z.array(z.string()).optional(),
  environment: z.record(z.string(), text).default({}),
  depends_on: z.record(z.string(), z.looseObject({ condition: z.string() })).default({}),
  profiles: z.array(z.string()).default([]),
  volumes: z.array(z.string()).default([]),
  ports: z.array(z.string()).default([]),
  build: z.object({ context: z.string(), dockerfile: z.string(), target: z.string() }).optional(),
  restart: z.string().optional(),
  healthcheck: z.object({ test: z.array(z.string()) }).optional(),
  networks: z.record(z.string(), z.object({ aliases: z.array(z.string()) })).default({}),
  network_mode: z.string().optional(),
})

const composeFile = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.null()),
})

export type Service = z.output<typeof service>
export type ComposeFile = z.output<typeof composeFile>

/** A Compose file as Compose reads it with these variables: https://docs.docker.com/reference/compose-file/interpolation */
export function readCompose(path: string, variables: Readonly<Record<string, string>>): ComposeFile {
  return composeFile.parse(
    inEachText(parse(readFileSync(path, 'utf8'), { merge: true }), (each) => interpolate(each, variables)),
  )
}

function inEachText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((each) => inEachText(each, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, inEachText(each, change)]))
}

function interpolate(source: string, variables: Readonly<Record<string, string>>): string {
  // A default may have a variable in it: the innermost come first.
  const innermost = /\$\{(?<name>\w+)(?::(?<kind>[-?])(?<rest>[^${}]*))?\}/g
  let done = source.replaceAll('$$', '\0')
  while (innermost.test(done)) {
    innermost.lastIndex = 0
    done = done.replaceAll(innermost, (...found) => {
      const groups: Record<string, string | undefined> = found.at(-1)
      const { name = '', kind, rest = '' } = groups
      const value = variables[name] ?? ''
      if (value !== '') return value
      if (kind === '?') throw new Error(`${name}: ${rest}`)
      return kind === '-' ? rest : ''
    })
    innermost.lastIndex = 0
  }
  return done.replaceAll('\0', '$')
}
