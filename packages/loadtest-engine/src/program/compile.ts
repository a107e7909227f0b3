import type { Action, VirtualUser } from '@flamegate/loadtest'
import { usualAccess } from '../http/access.ts'
import type { Access } from '../http/access.ts'
import { hasLimits } from '../http/line.ts'
import { compileProxy } from '../http/proxy.ts'
import type { MakeProxy } from '../http/proxy.ts'
import { usualTransport } from '../http/transport.ts'
import type { Transport } from '../http/transport.ts'
import type { UserPlan } from '../ports.ts'
import {
  compileContainer,
  compileForEach,
  compileIf,
  compileLoop,
  compileOnce,
  compileRandom,
  compileWhile,
} from '../steps/containers.ts'
import type { CompileInner } from '../steps/containers.ts'
import { compileHttpRequest } from '../steps/http-request.ts'
import { compilePage } from '../steps/page.ts'
import { compileScript, compileSetVariable } from '../steps/variables-and-scripts.ts'
import { compileDelay, compilePacing } from '../steps/waiting.ts'
import { compileWebSocket } from '../steps/websocket.ts'
import type { SharedPlaces } from '../variables/feed.ts'
import { openVariables } from '../variables/variable-pool.ts'
import type { VariablePool } from '../variables/variable-pool.ts'
import { Compiler } from './compiler.ts'
import type { CompiledServer } from './compiler.ts'
import type { Doing, Run, Step } from './step.ts'

const defaultUserAgent = 'Flamegate/0.1.0'

/** A document, made ready to be run by any number of users: what can be done once is done. */
export interface Program {
  steps: readonly Step[]
  /** All of them, those inside others too, by their index. */
  allSteps: readonly Step[]
  /** Scripts see the last answer. */
  hasScripts: boolean
  servers: readonly CompiledServer[]
  /** To servers that are none of these. */
  usualTransport: Transport
  /** What each user has a line of its own of; null: nothing holds bytes up. */
  network: Access['network'] | null
  /** Null: straight to the servers. */
  makeProxy: MakeProxy | null
  thinkTimeFactor: number
  userAgent: string
  cookies: VirtualUser['cookies']
  cache: VirtualUser['cache']
  openVariables: (
    openFile: UserPlan['openFile'],
    places?: SharedPlaces,
    rowsMax?: number,
  ) => Promise<VariablePool>
}

/** What is wrong in a document does not end this; the action that it is in fails, and says so. */
export function compile({
  document,
  servers,
  variables,
  access = usualAccess,
}: Pick<UserPlan, 'document' | 'servers' | 'variables'> & { access?: Access | undefined }): Program {
  const compiler = new Compiler(servers, access)
  const allSteps: Step[] = []
  const steps = compileSteps(document.actions, [], compiler, allSteps)
  return {
    steps,
    allSteps,
    hasScripts: compiler.scripts.length > 0,
    servers: compiler.servers(),
    usualTransport: usualTransport(access),
    network: hasLimits(access.network) ? access.network : null,
    makeProxy: access.proxy_url === null ? null : compileProxy(access.proxy_url, compiler),
    thinkTimeFactor: document.think_time_factor,
    userAgent: document.user_agent ?? defaultUserAgent,
    cookies: document.cookies,
    cache: document.cache,
    openVariables: (openFile, places, rowsMax) =>
      openVariables(variables, compiler, openFile, places, rowsMax),
  }
}

function compileSteps(
  actions: readonly Action[],
  path: readonly string[],
  compiler: Compiler,
  all: Step[],
): Step[] {
  return actions.map((action) => {
    const { id, type, name, enabled } = action
    const inner: CompileInner = (actionsInside) => compileSteps(actionsInside, [...path, id], compiler, all)
    const step: Step = {
      index: all.length,
      id,
      type,
      name,
      path,
      isEnabled: enabled,
      disabledReason: action.type === 'http_request' ? action.disabled_reason : null,
      does: nothing,
    }
    all.push(step)
    // What is disabled needs no variables.
    if (enabled) step.does = compileAction(action, compiler, inner)
    return step
  })
}

const nothing: Doing = { kind: 'now', run: () => {} }

function compileAction(action: Action, compiler: Compiler, inner: CompileInner): Doing {
  switch (action.type) {
    case 'http_request':
      return compileHttpRequest(action, compiler)
    case 'websocket':
      return act(compileWebSocket(action, compiler))
    case 'delay':
      return { kind: 'wait', waitMs: compileDelay(action) }
    case 'pacing':
      return { kind: 'now', run: compilePacing(action) }
    case 'set_variable':
      return { kind: 'now', run: compileSetVariable(action, compiler) }
    case 'script':
      return act(compileScript(action, compiler))
    case 'page':
      return act(compilePage(action, compiler))
    case 'container':
      return { kind: 'around', open: compileContainer(action, inner) }
    case 'if':
      return { kind: 'around', open: compileIf(action, compiler, inner) }
    case 'while':
      return { kind: 'around', open: compileWhile(action, compiler, inner) }
    case 'loop':
      return { kind: 'around', open: compileLoop(action, compiler, inner) }
    case 'for_each':
      return { kind: 'around', open: compileForEach(action, compiler, inner) }
    case 'once':
      return { kind: 'around', open: compileOnce(action, inner) }
    default:
      return { kind: 'around', open: compileRandom(action, inner) }
  }
}

function act(run: Run): Doing {
  return { kind: 'act', run, request: null }
}
