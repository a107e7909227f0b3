import type { Field, HttpServer } from '@flamegate/loadtest'
import { usualAccess } from '../http/access.ts'
import type { Access } from '../http/access.ts'
import { transportOf } from '../http/transport.ts'
import type { Transport } from '../http/transport.ts'
import { compileTemplate } from './compiled-template.ts'
import type { CompiledTemplate } from './compiled-template.ts'

export type CompiledField = readonly [name: CompiledTemplate, value: CompiledTemplate]

export interface CompiledServer {
  id: string
  name: string
  baseUrl: CompiledTemplate
  headers: readonly CompiledField[]
  authentication:
    | { type: 'none' }
    | { type: 'basic' | 'digest'; userName: CompiledTemplate; password: CompiledTemplate }
    | { type: 'bearer'; token: CompiledTemplate }
  transport: Transport
  timeoutMs: number
}

/** Compiles the texts of a document, and remembers which variables and servers they name. */
export class Compiler {
  /** Of the variables that templates ask for; `x.length` may be one of them. */
  readonly names = new Set<string>()
  /** Sources of scripts, which may ask for any variable. */
  readonly scripts: string[] = []
  readonly #documents: ReadonlyMap<string, HttpServer>
  readonly #servers = new Map<string, CompiledServer>()
  readonly #access: Access

  constructor(servers: ReadonlyMap<string, HttpServer>, access: Access = usualAccess) {
    this.#documents = servers
    this.#access = access
  }

  template(text: string): CompiledTemplate {
    const template = compileTemplate(text)
    if (typeof template !== 'string')
      for (const part of template) if (typeof part !== 'string') this.uses(part.name)
    return template
  }

  fields(fields: readonly Field[]): CompiledField[] {
    return fields.map(({ name, value }) => [this.template(name), this.template(value)])
  }

  uses(name: string): void {
    this.names.add(name)
    if (name.endsWith('.length')) this.names.add(name.slice(0, -'.length'.length))
  }

  /** Whether a variable is asked for, as far as can be told: scripts that name it anywhere count. */
  isUsed(name: string): boolean {
    return this.names.has(name) || this.scripts.some((source) => source.includes(name))
  }

  /** Undefined where there is no server with this id. */
  server(id: string): CompiledServer | undefined {
    const known = this.#servers.get(id)
    const document = this.#documents.get(id)
    if (known !== undefined || document === undefined) return known
    const compiled: CompiledServer = {
      id,
      name: document.name,
      baseUrl: this.template(document.base_url),
      headers: this.fields(document.headers),
      authentication: this.#authentication(document.authentication),
      transport: transportOf(document, this.#access),
      timeoutMs: document.timeout_ms,
    }
    this.#servers.set(id, compiled)
    return compiled
  }

  /** Those that were asked for. */
  servers(): readonly CompiledServer[] {
    return [...this.#servers.values()]
  }

  #authentication(authentication: HttpServer['authentication']): CompiledServer['authentication'] {
    switch (authentication.type) {
      case 'none':
        return { type: 'none' }
      case 'bearer':
        return { type: 'bearer', token: this.template(authentication.token) }
      default:
        return {
          type: authentication.type,
          userName: this.template(authentication.user_name),
          password: this.template(authentication.password),
        }
    }
  }
}
