import type { z } from 'zod'
import { type Action, depthMax, documentLevelsMax } from '../model/action.ts'
import { correlationRule } from '../model/correlation-rule.ts'
import { httpServer } from '../model/http-server.ts'
import { variable } from '../model/variable.ts'
import { virtualUser, type VirtualUser } from '../model/virtual-user.ts'
import { monitor } from '../monitor/monitor.ts'
import { benchReport, reportTemplate } from '../report/bench-report.ts'
import { scenario } from '../scenario/scenario.ts'
import { slaProfile } from '../sla/sla-profile.ts'
import { walkActions } from '../outline/walk-actions.ts'
import { isTooDeep } from '../json/json-depth.ts'
import { pointerOf } from '../json/json-pointer.ts'

/** What is wrong with a document, and where in it, as a JSON pointer. */
export interface DocumentFault {
  pointer: string
  message: string
}

/** A document that its schema does not allow. */
export class DocumentError extends Error {
  readonly faults: readonly DocumentFault[]

  constructor(faults: readonly DocumentFault[]) {
    super(
      faults
        .map(({ pointer, message }) => `${pointer === '' ? 'The document' : pointer}: ${message}`)
        .join('\n'),
    )
    this.faults = faults
  }
}

/** Faults that are told of one document; more would not be read. */
const faultsMax = 20

const schemas = {
  virtual_user: virtualUser,
  http_server: httpServer,
  variable,
  correlation_rule: correlationRule,
  scenario,
  bench_report: benchReport,
  report_template: reportTemplate,
  sla_profile: slaProfile,
  monitor,
}

export type DocumentKind = keyof typeof schemas
export type DocumentOf<Kind extends DocumentKind> = z.infer<(typeof schemas)[Kind]>

/**
 * A document of a kind, with all defaults filled in.
 * @throws DocumentError that names every fault
 */
export function parseDocument<Kind extends DocumentKind>(kind: Kind, value: unknown): DocumentOf<Kind> {
  // First, because to look at what is nested without end takes a stack without end.
  if (isTooDeep(value, documentLevelsMax)) throw new DocumentError([{ pointer: '', message: tooDeep }])
  const schema: z.ZodType = schemas[kind]
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new DocumentError(faultsOf(parsed.error))
  if (kind === 'virtual_user') {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema read it
    const faults = faultsOfActions(parsed.data as VirtualUser)
    if (faults.length > 0) throw new DocumentError(faults.slice(0, faultsMax))
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- its schema read it
  return parsed.data as DocumentOf<Kind>
}

const tooDeep = `Actions are nested too deeply: ${depthMax} levels at most.`

function faultsOf(error: z.ZodError): DocumentFault[] {
  return error.issues
    .flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({
            pointer: pointerOf([...issue.path, key]),
            message: 'There is no such field here.',
          }))
        : [{ pointer: pointerOf(issue.path), message: issue.message }],
    )
    .slice(0, faultsMax)
}

/** What no schema of one action can see: ids that come twice, and how deep it all is. */
function faultsOfActions(document: VirtualUser): DocumentFault[] {
  const faults: DocumentFault[] = []
  const places = new Map<string, string>()
  const claim = (id: string, pointer: string) => {
    const taken = places.get(id)
    if (taken === undefined) places.set(id, pointer)
    else faults.push({ pointer: `${pointer}/id`, message: `${id} is the id of ${taken} already.` })
  }
  for (const { action, pointer, depth } of walkActions(document)) {
    if (depth > depthMax) faults.push({ pointer, message: tooDeep })
    claim(action.id, pointer)
    for (const [part, inside] of partsOf(action)) {
      for (const [index, { id }] of inside.entries()) claim(id, `${pointer}/${part}/${index}`)
    }
  }
  return faults
}

/** What has an id in an action and is none itself, by its path. */
function partsOf(action: Action): [path: string, parts: { id: string }[]][] {
  switch (action.type) {
    case 'http_request':
      return [
        ['extractors', action.extractors],
        ['assertions', action.assertions],
        ['resources/list', action.resources.list],
      ]
    case 'websocket':
      return action.operation === 'expect'
        ? [
            ['extractors', action.extractors],
            ['assertions', action.assertions],
          ]
        : []
    case 'page':
      return [['steps', action.steps]]
    default:
      return []
  }
}
