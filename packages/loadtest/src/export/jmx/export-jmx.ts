import type { HttpServer } from '../../model/http-server.ts'
import type { Variable } from '../../model/variable.ts'
import type { VirtualUser } from '../../model/virtual-user.ts'
import type { Exported } from '../exported.ts'
import { toElements } from './actions.ts'
import {
  collection,
  hashTree,
  item,
  property,
  type TestElement,
  testElement,
  writeXml,
} from './jmx-writer.ts'
import { headerManager } from './requests.ts'
import { argumentsCollection, inlineFunctions, toConfigs } from './variables.ts'
import { noteFor, toJmeter, type Work } from './work.ts'

const text = (name: string, value: string) => property('string', name, value)
const flag = (name: string, value: boolean) => property('bool', name, value)

/**
 * A test plan that JMeter 5.6 opens, with the virtual user as its thread group. What JMeter cannot do is a disabled sampler that
 * does nothing, and a note.
 */
export function exportJmx(
  virtualUser: VirtualUser,
  servers: ReadonlyMap<string, HttpServer>,
  variables: readonly Variable[],
): Exported {
  const work: Work = {
    servers,
    notes: [],
    inline: inlineFunctions(variables),
    thinkTimeFactor: virtualUser.think_time_factor,
  }
  const note = noteFor(work, null)
  const configs = [
    ...toConfigs(work, variables, note),
    ...credentials(work),
    ...keepers(virtualUser),
    ...(virtualUser.user_agent === null
      ? []
      : [headerManager(work, 'User agent', [{ name: 'User-Agent', value: virtualUser.user_agent }])]),
  ]
  const group = threadGroup(virtualUser, [...configs, ...toElements(work, virtualUser.actions)])
  const plan = testElement(
    'TestPlan',
    'TestPlanGui',
    virtualUser.name,
    [
      text('TestPlan.comments', ''),
      flag('TestPlan.functional_mode', false),
      flag('TestPlan.tearDown_on_shutdown', true),
      flag('TestPlan.serialize_threadgroups', false),
      item('TestPlan.user_defined_variables', 'Arguments', [argumentsCollection([])]),
      text('TestPlan.user_define_classpath', ''),
    ],
    [group],
  )
  if (virtualUser.tags.length > 0) note('Tags have no place in a plan.')
  for (const server of servers.values()) tellServer(server, note)
  const root = {
    tag: 'jmeterTestPlan',
    attributes: [
      ['version', '1.2'],
      ['properties', '5.0'],
      ['jmeter', '5.6.3'],
    ] as const,
    content: [hashTree([plan])],
  }
  const xml = writeXml(root)
  if (xml.includes('\ufffd') && !JSON.stringify([virtualUser, ...variables]).includes('\ufffd'))
    note('Characters that XML cannot hold are written as \ufffd.')
  return { text: xml, notes: work.notes }
}

/** One user, one iteration: load belongs to a scenario. */
function threadGroup({ name, description }: VirtualUser, below: readonly TestElement[]): TestElement {
  const controller = {
    tag: 'elementProp',
    attributes: [
      ['name', 'ThreadGroup.main_controller'],
      ['elementType', 'LoopController'],
      ['guiclass', 'LoopControlPanel'],
      ['testclass', 'LoopController'],
      ['testname', 'Loop Controller'],
      ['enabled', 'true'],
    ] as const,
    content: [flag('LoopController.continue_forever', false), text('LoopController.loops', '1')],
  }
  const element = testElement(
    'ThreadGroup',
    'ThreadGroupGui',
    name,
    [
      text('ThreadGroup.on_sample_error', 'continue'),
      controller,
      text('ThreadGroup.num_threads', '1'),
      text('ThreadGroup.ramp_time', '1'),
      flag('ThreadGroup.scheduler', false),
      text('ThreadGroup.duration', ''),
      text('ThreadGroup.delay', ''),
      flag('ThreadGroup.same_user_on_next_iteration', true),
    ],
    below,
  )
  return { ...element, comment: description }
}

/** Cookies and files are kept where there is a manager for them. */
function keepers({ cookies, cache }: VirtualUser): TestElement[] {
  const cookieManager = testElement('CookieManager', 'CookiePanel', 'HTTP Cookie Manager', [
    collection('CookieManager.cookies', []),
    flag('CookieManager.clearEachIteration', cookies.clear_each_iteration),
    flag('CookieManager.controlledByThreadGroup', false),
  ])
  const cacheManager = testElement('CacheManager', 'CacheManagerGui', 'HTTP Cache Manager', [
    flag('clearEachIteration', cache.clear_each_iteration),
    flag('useExpires', true),
    flag('CacheManager.controlledByThread', false),
  ])
  return [...(cookies.keep ? [cookieManager] : []), ...(cache.keep ? [cacheManager] : [])]
}

function credentials(work: Work): TestElement[] {
  const items = [...work.servers.values()].flatMap(({ base_url: url, authentication }) =>
    authentication.type === 'basic' || authentication.type === 'digest'
      ? [
          item('', 'Authorization', [
            text('Authorization.url', toJmeter(work, url)),
            text('Authorization.username', toJmeter(work, authentication.user_name)),
            text('Authorization.password', toJmeter(work, authentication.password)),
            text('Authorization.domain', ''),
            text('Authorization.realm', ''),
            text('Authorization.mechanism', authentication.type === 'digest' ? 'DIGEST' : 'BASIC'),
          ]),
        ]
      : [],
  )
  if (items.length === 0) return []
  return [
    testElement('AuthManager', 'AuthPanel', 'HTTP Authorization Manager', [
      collection('AuthManager.auth_list', items),
      flag('AuthManager.controlledByThreadGroup', false),
    ]),
  ]
}

function tellServer(server: HttpServer, note: (text: string) => void): void {
  if (server.http_version === 'h2') note(`${server.name} is spoken to in HTTP/1.1.`)
  if (server.tls.server_name !== null) note(`${server.name} is told no other name than its own.`)
  if (server.tls.verify && server.base_url.startsWith('https'))
    note('JMeter does not verify certificates, if it is not told to.')
}
