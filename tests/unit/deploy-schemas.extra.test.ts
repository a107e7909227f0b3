import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Ajv2020, type AnySchemaObject } from 'ajv/dist/2020.js'
import { expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

/**
 * A folder with the schemas of several versions of KEDA, too large to keep here, set by `FLAMEGATE_DEPLOY_SCHEMAS`: `keda-<version>/` with
 * what https://github.com/kedacore/keda has in config/crd/bases. One version is in deploy-kubernetes.test.ts.
 */
const folder = process.env['FLAMEGATE_DEPLOY_SCHEMAS'] ?? ''
if (folder === '')
  console.warn(
    'SKIPPED: the schemas of several versions of KEDA. Set FLAMEGATE_DEPLOY_SCHEMAS to hold deploy/ against them.',
  )

const root = join(import.meta.dirname, '../..')
const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })

const definition = z.object({
  spec: z.object({
    group: z.string(),
    names: z.object({ kind: z.string() }),
    versions: z.array(
      z.object({ name: z.string(), schema: z.object({ openAPIV3Schema: z.custom<AnySchemaObject>() }) }),
    ),
  }),
})

/** A cluster refuses a field that is in no schema, as kubectl asks it to; JSON Schema has to be told so. */
function strict(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(strict)
  if (typeof schema !== 'object' || schema === null) return schema
  const rest: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, strict(value)]),
  )
  if (rest['x-kubernetes-int-or-string'] === true) delete rest['type']
  const isOpen = 'additionalProperties' in rest || rest['x-kubernetes-preserve-unknown-fields'] === true
  return rest['type'] === 'object' && !isOpen ? { ...rest, additionalProperties: false } : rest
}

/** Schemas of a version of KEDA, by `apiVersion kind`. */
function schemasOf(version: string): Map<string, AnySchemaObject> {
  const files = readdirSync(join(folder, version)).filter((name) => name.endsWith('.yaml'))
  return new Map(
    files.flatMap((name) => {
      const { spec } = definition.parse(parse(readFileSync(join(folder, version, name), 'utf8')))
      return spec.versions.map(({ name: apiVersion, schema }) => [
        `${spec.group}/${apiVersion} ${spec.names.kind}`,
        // What every object has is checked by the cluster.
        { ...schema.openAPIV3Schema, properties: { ...schema.openAPIV3Schema['properties'], metadata: {} } },
      ])
    }),
  )
}

/** What is wrong with a value, by its schema. */
function faults(schema: unknown, value: unknown) {
  const validate = ajv.compile(z.custom<AnySchemaObject>().parse(schema))
  return validate(value) === true ? [] : validate.errors
}

const named = z.object({ apiVersion: z.string(), kind: z.string() })

test.runIf(folder !== '')('the agents of Kubernetes are what each version of KEDA takes', () => {
  const versions = readdirSync(folder).filter((name) => name.startsWith('keda-'))
  expect(versions).not.toEqual([])
  const documents = parseAllDocuments(
    readFileSync(join(root, 'deploy/kubernetes/load-agents.yaml'), 'utf8'),
  ).map((document) => document.toJS() as unknown)
  for (const version of versions) {
    const schemas = schemasOf(version)
    for (const document of documents) {
      const { apiVersion, kind } = named.parse(document)
      const schema = schemas.get(`${apiVersion} ${kind}`)
      expect(schema, `${version} ${kind}`).toBeDefined()
      expect(faults(strict(schema), document), `${version} ${kind}`).toEqual([])
    }
  }
})
