import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  element,
  parameters,
  planOf,
  sampler,
  stringProperty,
} from '../../packages/loadtest/src/testing/jmx.ts'

/** Plans as JMeter writes them, and whether there is one that runs them. */

const forEver =
  '<elementProp name="ThreadGroup.main_controller" elementType="LoopController"><boolProp name="LoopController.continue_forever">false</boolProp><intProp name="LoopController.loops">-1</intProp></elementProp>'

function texts(values: Readonly<Record<string, string>>): string {
  return Object.entries(values).map(stringProperty).join('')
}

function request(name: string, path: string, method: string, below: readonly string[] = []): string {
  const changes = {
    'HTTPSampler.protocol': 'http',
    'HTTPSampler.domain': '127.0.0.1',
    'HTTPSampler.port': '${__P(port)}',
    'HTTPSampler.path': path,
    'HTTPSampler.method': method,
  }
  return sampler(name, changes, below, parameters([]))
}

const failing = element(
  'ResponseAssertion',
  'Found',
  `<collectionProp name="Asserion.test_strings"><stringProp name="0">something</stringProp></collectionProp>${texts({ 'Assertion.test_field': 'Assertion.response_data' })}<intProp name="Assertion.test_type">16</intProp>`,
)

/** Users and time by properties, a file of names beside it, a transaction, a request that fails, and an assertion that does. */
export const shopPlan = planOf([
  element(
    'ThreadGroup',
    'Users',
    `${forEver}${texts({
      'ThreadGroup.on_sample_error': 'continue',
      'ThreadGroup.num_threads': '${__P(users,1)}',
      'ThreadGroup.ramp_time': '${__P(rampup,0)}',
      'ThreadGroup.duration': '${__P(duration)}',
      'ThreadGroup.delay': '0',
    })}<boolProp name="ThreadGroup.scheduler">true</boolProp>`,
    [
      element(
        'CSVDataSet',
        'Names',
        `${texts({ filename: 'names.csv', fileEncoding: 'UTF-8', variableNames: 'name', delimiter: ',', shareMode: 'shareMode.all' })}<boolProp name="recycle">true</boolProp><boolProp name="stopThread">false</boolProp>`,
      ),
      element('ConstantTimer', 'Think', { 'ConstantTimer.delay': '50' }),
      request('Home', '/home', 'GET'),
      request('Search', '/search?name=${name}&token=abc123', 'GET', [failing]),
      element(
        'TransactionController',
        'checkout',
        '<boolProp name="TransactionController.parent">false</boolProp>',
        [request('Pay', '/pay', 'POST')],
      ),
    ],
  ),
])

/** With a sampler that is of a plug-in that is nowhere. */
export const foreignPlan = planOf([element('OfSomePlugin', 'What?')])

const jmeter = 'jmeter'

/** `jmeter` on the PATH runs a plan: that of Debian tells its version, and cannot read any. */
export function hasJmeter(): boolean {
  const folder = mkdtempSync(join(tmpdir(), 'flamegate-jmeter-'))
  try {
    writeFileSync(join(folder, 'empty.jmx'), planOf([]))
    const { status, stdout } = spawnSync(jmeter, ['-n', '-t', 'empty.jmx'], {
      cwd: folder,
      encoding: 'utf8',
    })
    return status === 0 && stdout.includes('Created the tree')
  } finally {
    rmSync(folder, { recursive: true })
  }
}
