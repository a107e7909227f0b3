import type { Action, VirtualUser } from '@flamegate/loadtest'
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
import { openVariables } from '../variables/variable-pool.ts'
import type { VariablePool } from '../variables/variable-pool.ts'
import { Compiler } from './compiler.ts'
import type { CompiledServer } from './compiler.ts'
import type { Run, Step } from './step.ts'

const defaultUserAgent = 'Flamegate/0.1.0'

/** A document, made ready to be run by any number of users: what can be done once is done. */
export interface Program {
  steps: readonly Step[]
  servers: readonly CompiledServer[]
  thinkTimeFactor: number
  userAgent: string
  cookies: VirtualUser['cookies']
  cache: VirtualUser['cache']
  openVariables: (openFile: UserPlan['openFile']) => Promise<VariablePool>
}

/** What is wrong in a document does not end this; the action that it is in fails, and says so. */
export function compile({
  document,
  servers,
  variables,
}: Pick<UserPlan, 'document' | 'servers' | 'variables'>): Program {
  const compiler = new Compiler(servers)
  const steps = compileSteps(document.actions, [], compiler)
  return {
    steps,
    servers: compiler.servers(),
    thinkTimeFactor: document.think_time_factor,
    userAgent: document.user_agent ?? defaultUserAgent,
    cookies: document.cookies,
    cache: document.cache,
    openVariables: (openFile) => openVariables(variables, compiler, openFile),
  }
}

function compileSteps(actions: readonly Action[], path: readonly string[], compiler: Compiler): Step[] {
  return actions.map((action) => {
    const { id, type, name, enabled } = action
    const inner: CompileInner = (actionsInside) => compileSteps(actionsInside, [...path, id], compiler)
    return {
      id,
      type,
      name,
      path,
      isEnabled: enabled,
      disabledReason: action.type === 'http_request' ? action.disabled_reason : null,
      isAround: 'actions' in action || action.type === 'random',
      // What is disabled needs no variables.
      run: enabled ? compileAction(action, compiler, inner) : async () => {},
    }
  })
}

function compileAction(action: Action, compiler: Compiler, inner: CompileInner): Run {
  switch (action.type) {
    case 'http_request':
      return compileHttpRequest(action, compiler)
    case 'websocket':
      return compileWebSocket(action, compiler)
    case 'delay':
      return compileDelay(action)
    case 'pacing':
      return compilePacing(action)
    case 'set_variable':
      return compileSetVariable(action, compiler)
    case 'script':
      return compileScript(action, compiler)
    case 'page':
      return compilePage(action, compiler)
    case 'container':
      return compileContainer(action, inner)
    case 'if':
      return compileIf(action, compiler, inner)
    case 'while':
      return compileWhile(action, compiler, inner)
    case 'loop':
      return compileLoop(action, compiler, inner)
    case 'for_each':
      return compileForEach(action, compiler, inner)
    case 'once':
      return compileOnce(action, inner)
    default:
      return compileRandom(action, inner)
  }
}
