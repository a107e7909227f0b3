import type { JmxElement } from './jmx-element.ts'

/** What an element of a test plan does. */
export type Role =
  | 'thread_group'
  | 'fragment'
  | 'controller'
  | 'sampler'
  | 'config'
  | 'timer'
  | 'pre_processor'
  | 'post_processor'
  | 'assertion'
  | 'listener'
  | 'other'

const roles: readonly [role: Role, types: RegExp][] = [
  ['thread_group', /ThreadGroup$/],
  ['fragment', /^TestFragmentController$/],
  [
    'listener',
    /Listener$|ResultCollector$|^Summariser|Visualizer$|^(?:ResultSaver|ResultAction|DebugPostProcessor)$/,
  ],
  ['timer', /Timer$/],
  ['assertion', /Assertion$/],
  ['post_processor', /(?:Post_?Processor|Extractor)$/],
  ['pre_processor', /PreProcessor$|Modifier$|^(?:UserParameters|RegExUserParameters|SampleTimeout)$/],
  [
    'config',
    /(?:Manager|DataSet|Config|DataSource|Element)$|^(?:Arguments|RandomVariableConfig|CounterConfig|ConfigTestElement|KeystoreConfig)$/,
  ],
  [
    'controller',
    /Controller$|^(?:InterleaveControl|RunTime|OnceOnlyController|RandomController|LoopController|ParallelSampler)$/,
  ],
  ['sampler', /Sampler2?$|^(?:HTTPSamplerProxy|TestAction|HTTPSampler2?)$/],
]

/** Types say what they are by how their names end, in JMeter and in its plugins. */
export function roleOf({ type, children }: JmxElement): Role {
  const found = roles.find(([, types]) => types.test(type))
  if (found !== undefined) return found[0]
  // A controller of a plugin that nobody knows is known by what is in it.
  return children.some((child) => ['sampler', 'controller'].includes(roleOf(child))) ? 'controller' : 'other'
}
