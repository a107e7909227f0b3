// Writes otlp/: messages of two services, encoded by protobufjs after the protocol's own .proto files, so that what reads
// them is not measured against itself.
//
//     git clone --branch v1.11.0 https://github.com/open-telemetry/opentelemetry-proto
//     npm install --prefix /tmp/otlp protobufjs@8
//     cd /tmp/otlp && node …/make-otlp.mjs …/opentelemetry-proto
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'

const protobuf = createRequire(`${process.cwd()}/`)('protobufjs')
const [folder] = process.argv.slice(2)
const root = new protobuf.Root()
root.resolvePath = (_origin, target) => join(folder, target)
await root.load('opentelemetry/proto/collector/profiles/v1development/profiles_service.proto')
const Request = root.lookupType(
  'opentelemetry.proto.collector.profiles.v1development.ExportProfilesServiceRequest',
)

const stringTable = ['']
const text = (string) => {
  const known = stringTable.indexOf(string)
  return known === -1 ? stringTable.push(string) - 1 : known
}
const attribute = (key, value, unit = '') => ({ keyStrindex: text(key), value, unitStrindex: text(unit) })
const start = 1_795_296_000_000_000_000n
const at = (ms) => String(start + BigInt(ms) * 1_000_000n)
const cpu = { typeStrindex: text('cpu'), unitStrindex: text('nanoseconds') }
const waiting = { typeStrindex: text('off_cpu'), unitStrindex: text('nanoseconds') }
const fn = (name, file, startLine) => ({
  nameStrindex: text(name),
  filenameStrindex: text(file),
  startLine,
})

const dictionary = {
  stringTable,
  mappingTable: [{}, { filenameStrindex: text('/usr/lib/libc.so.6'), memoryStart: 4096, memoryLimit: 8192 }],
  functionTable: [
    {},
    fn('main', 'src/main.rs', 3),
    fn('price', 'src/price.rs', 10),
    fn('discount', 'src/price.rs', 40),
    fn('do_syscall_64', '', 0),
  ],
  locationTable: [
    {},
    { lines: [{ functionIndex: 1, line: 7 }] },
    // discount is inlined into price.
    {
      lines: [
        { functionIndex: 3, line: 42 },
        { functionIndex: 2, line: 12, column: 5 },
      ],
    },
    { mappingIndex: 1, address: 5000 },
    { lines: [{ functionIndex: 4 }], attributeIndices: [3] },
  ],
  linkTable: [
    { traceId: Buffer.alloc(16), spanId: Buffer.alloc(8) },
    {
      traceId: Buffer.from('5b8efff798038103d269b633813fc60c', 'hex'),
      spanId: Buffer.from('eee19b7ec3c1b174', 'hex'),
    },
  ],
  attributeTable: [
    {},
    attribute('thread.name', { stringValue: 'worker-1' }),
    attribute('thread.name', { stringValue: 'worker-2' }),
    attribute('profile.frame.type', { stringValue: 'kernel' }),
    attribute('batch', { intValue: 64 }, 'By'),
  ],
  stackTable: [
    {},
    { locationIndices: [2, 1] },
    { locationIndices: [3, 2, 1] },
    { locationIndices: [4, 1] },
  ],
}

const resource = (attributes) => ({
  attributes: Object.entries(attributes).map(([key, stringValue]) => ({ key, value: { stringValue } })),
})
const scope = { name: 'samples', version: '1' }

const checkout = {
  resource: resource({ 'service.name': 'checkout', 'deployment.environment.name': 'production' }),
  scopeProfiles: [
    {
      scope,
      profiles: [
        {
          sampleType: cpu,
          timeUnixNano: String(start),
          durationNano: '10000000000',
          periodType: cpu,
          period: 10_000_000,
          profileId: Buffer.alloc(16, 1),
          samples: [
            { stackIndex: 1, attributeIndices: [1], values: [30, 20], timestampsUnixNano: [at(100), at(2000)] },
            { stackIndex: 2, attributeIndices: [2, 4], linkIndex: 1, values: [7], timestampsUnixNano: [at(1500)] },
          ],
        },
        {
          sampleType: waiting,
          timeUnixNano: String(start),
          durationNano: '10000000000',
          samples: [{ stackIndex: 3, attributeIndices: [1], values: [500] }],
        },
      ],
    },
  ],
}
const payments = {
  resource: resource({ 'service.name': 'payments' }),
  scopeProfiles: [
    {
      scope,
      profiles: [
        {
          sampleType: cpu,
          timeUnixNano: at(5000),
          durationNano: '5000000000',
          samples: [{ stackIndex: 1, timestampsUnixNano: [at(6000), at(7000), at(8000)] }],
        },
      ],
    },
  ],
}

function write(name, resourceProfiles) {
  const message = Request.fromObject({ resourceProfiles, dictionary })
  const problem = Request.verify(message)
  if (problem) throw new Error(problem)
  writeFileSync(join(import.meta.dirname, 'otlp', `${name}.otlp`), Request.encode(message).finish())
  const json = Request.toObject(message, { longs: String, bytes: Buffer })
  for (const link of json.dictionary.linkTable) {
    for (const id of ['traceId', 'spanId']) link[id] = link[id].toString('hex')
  }
  for (const { scopeProfiles } of json.resourceProfiles) {
    for (const { profiles } of scopeProfiles)
      for (const profile of profiles)
        if (profile.profileId) profile.profileId = profile.profileId.toString('hex')
  }
  writeFileSync(join(import.meta.dirname, 'otlp', `${name}.json`), `${JSON.stringify(json)}\n`)
}

write('checkout', [checkout])
write('two-services', [checkout, payments])
