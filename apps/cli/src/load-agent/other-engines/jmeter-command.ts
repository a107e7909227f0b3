import { isOpen, loadDurationMs, loadPeak, shareOfUsers, wholeUsers } from '@flamegate/loadtest/scenario'
import type { EngineCommand, SharedEngineTask } from './engine-command.ts'

const resultFile = 'results.jtl'
const logFile = 'jmeter.log'
const propertyFile = 'flamegate.properties'

/** How it says that it cannot run a JMX; its older versions then end as if all was well. */
export const jmeterFault = /^Error in NonGUIDriver\b/

/**
 * JMeter with an unchanged JMX ([options](https://jmeter.apache.org/usermanual/get-started.html#options)). It has no option for the
 * load: the JMX may read the properties `users`, `rampup` and `duration` (`${__P(users,1)}`), which are those of this agent.
 * @param script Where the JMX is
 * @param folder Where its other files are
 */
export function jmeterCommand(task: SharedEngineTask, script: string, folder: string): EngineCommand {
  return {
    args: [
      '-n',
      '-t',
      script,
      '-l',
      `${folder}/${resultFile}`,
      '-j',
      `${folder}/${logFile}`,
      '-q',
      `${folder}/${propertyFile}`,
    ],
    env: {},
    files: {
      [`${folder}/${propertyFile}`]: propertiesText({ ...saved, ...loadOf(task), ...task.profile.variables }),
    },
    results: { file: resultFile },
  }
}

/** A row for each sample as soon as it ends, with what is read of it; whatever the properties of the machine say. */
const saved: Readonly<Record<string, string>> = {
  'jmeter.save.saveservice.output_format': 'csv',
  'jmeter.save.saveservice.default_delimiter': ',',
  'jmeter.save.saveservice.print_field_names': 'true',
  'jmeter.save.saveservice.timestamp_format': 'ms',
  'jmeter.save.saveservice.autoflush': 'true',
  ...Object.fromEntries(
    [
      'time',
      'label',
      'response_code',
      'response_message',
      'successful',
      'assertion_results_failure_message',
      'thread_name',
      'bytes',
      'sent_bytes',
      'thread_counts',
      'url',
      'latency',
      'connect_time',
      'hostname',
      'sample_count',
    ].map((field) => [`jmeter.save.saveservice.${field}`, 'true']),
  ),
  // It would count samples that belong to others a second time.
  'jmeter.save.saveservice.subresults': 'false',
  // At its port others on the machine could stop it.
  'jmeterengine.nongui.port': '0',
}

/** Users of the agent, whole seconds, and iterations that begin in a second where the load is a rate. */
function loadOf({ profile: { load }, place, share }: SharedEngineTask): Record<string, string> {
  const peak = loadPeak(load)
  const users = isOpen(load) ? load.users_max : wholeUsers(peak)
  const rampUpMs = 'ramp_up_ms' in load ? load.ramp_up_ms : 0
  return {
    users: String(shareOfUsers(users, share, place)),
    rampup: String(Math.round(rampUpMs / 1000)),
    duration: String(Math.ceil(loadDurationMs(load) / 1000)),
    ...(isOpen(load) ? { rate: String(peak / share.agents) } : {}),
    agent_index: String(share.index),
    agent_count: String(share.agents),
  }
}

/** As [Java reads them](https://docs.oracle.com/en/java/javase/21/docs/api/java.base/java/util/Properties.html#load(java.io.Reader)). */
function propertiesText(properties: Readonly<Record<string, string>>): string {
  return Object.entries(properties)
    .map(([name, value]) => `${name}=${escaped(value)}\n`)
    .join('')
}

function escaped(value: string): string {
  return value.replace(
    /[^!-[\]-~]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

/** What has to be known where a JMX does not read how many users it is to have, and several agents run it. */
export function jmeterWords({ engine, share }: SharedEngineTask, jmx: string): string | undefined {
  const readsUsers = /__(?:P|property)\(\s*users\b/.test(jmx)
  if (readsUsers || share.agents === 1) return undefined
  return `${engine.path} does not read the property users, so each of ${share.agents} agents made the whole of its load.`
}
