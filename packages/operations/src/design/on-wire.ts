import type { operations, OutputOf } from '@flamegate/contract'
import type { CorrelationRule, HttpServer, Variable } from '@flamegate/loadtest'
import type { DesignObject } from '../ports/index.ts'
import type { SmallKind } from './reaching.ts'
import { isUnsetSecret } from './secrets.ts'
import type { User } from './usage.ts'

type VariableOnWire = OutputOf<typeof operations.listVariables>['variables'][number]
type HttpServerOnWire = OutputOf<typeof operations.listHttpServers>['http_servers'][number]
type RuleOnWire = OutputOf<typeof operations.listCorrelationRules>['rules'][number]
type DesignOnWire = OutputOf<typeof operations.getDesignObject>['object']

/** A listing shows so much of a text, or so many of a list. */
const shownCharacters = 200
const shownValues = 20

export function variableOnWire(
  object: DesignObject,
  document: Variable,
  users: readonly User[] = [],
): VariableOnWire {
  const { schema_version: _version, type, name, description, ...settings } = document
  return {
    ...common(object),
    name,
    description,
    type,
    settings: Object.fromEntries(Object.entries(settings).map(([field, value]) => [field, shown(value)])),
    needs_value: isUnsetSecret(object),
    used_by: [...users],
  }
}

export function httpServerOnWire(
  object: DesignObject,
  document: HttpServer,
  { isVerified, users = [] }: { isVerified: (host: string) => boolean; users?: readonly User[] | undefined },
): HttpServerOnWire {
  return {
    ...common(object),
    name: document.name,
    base_url: document.base_url,
    is_verified: document.base_url.includes('${')
      ? null
      : isVerified(URL.parse(document.base_url)?.host ?? ''),
    authentication: document.authentication.type,
    header_names: document.headers.map(({ name }) => name),
    http_version: document.http_version,
    verify_tls: document.tls.verify,
    connect_timeout_ms: document.connect_timeout_ms,
    timeout_ms: document.timeout_ms,
    used_by: [...users],
  }
}

export function ruleOnWire(object: DesignObject, document: CorrelationRule): RuleOnWire {
  return {
    ...common(object),
    name: document.name,
    description: document.description,
    enabled: document.enabled,
    framework: document.framework,
    source: document.source,
    variable: document.variable,
    targets: document.targets,
    target_name: document.target_name,
  }
}

export function designOnWire(object: DesignObject & { kind: SmallKind }, document: object): DesignOnWire {
  return {
    ...common(object),
    project_id: object.projectId,
    kind: object.kind,
    name: object.name,
    has_secret: object.hasSecret,
    is_deleted: object.deletedAt !== null,
    document: { ...document },
  }
}

function common({ id, version, updatedAt }: DesignObject): {
  id: string
  version: number
  updated_at: string
} {
  return { id, version, updated_at: updatedAt.toISOString() }
}

function shown(value: unknown): unknown {
  if (typeof value === 'string' && value.length > shownCharacters)
    return `${value.slice(0, shownCharacters)}… (${value.length} characters)`
  if (Array.isArray(value) && value.length > shownValues)
    return [...value.slice(0, shownValues).map(shown), `… (${value.length} in all)`]
  return Array.isArray(value) ? value.map(shown) : value
}
