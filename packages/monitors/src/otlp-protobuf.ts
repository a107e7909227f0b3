/** What is no message of OTLP metrics. */
export class OtlpError extends Error {}

type Field =
  | { name: string; type: 'string' | 'double' | 'fixed64' | 'sfixed64' | 'varint' | 'bool' }
  | { name: string; type: Message; isList?: true }
type Message = () => Readonly<Record<number, Field>>

/**
 * The fields that are read, by number, with their names in OTLP/JSON:
 * https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto
 */
const anyValue: Message = () => ({
  1: { name: 'stringValue', type: 'string' },
  2: { name: 'boolValue', type: 'bool' },
  3: { name: 'intValue', type: 'varint' },
  4: { name: 'doubleValue', type: 'double' },
})
const keyValue: Message = () => ({
  1: { name: 'key', type: 'string' },
  2: { name: 'value', type: anyValue },
})
const attributes = { name: 'attributes', type: keyValue, isList: true } as const
const times: Record<number, Field> = {
  2: { name: 'startTimeUnixNano', type: 'fixed64' },
  3: { name: 'timeUnixNano', type: 'fixed64' },
}
const sums: Record<number, Field> = {
  4: { name: 'count', type: 'fixed64' },
  5: { name: 'sum', type: 'double' },
}
const numberPoint: Message = () => ({
  ...times,
  4: { name: 'asDouble', type: 'double' },
  6: { name: 'asInt', type: 'sfixed64' },
  7: attributes,
})
const histogramPoint: Message = () => ({ ...times, ...sums, 9: attributes })
const exponentialPoint: Message = () => ({ ...times, ...sums, 1: attributes })
const summaryPoint: Message = () => ({ ...times, ...sums, 7: attributes })
const data =
  (point: Message): Message =>
  () => ({
    1: { name: 'dataPoints', type: point, isList: true },
    2: { name: 'aggregationTemporality', type: 'varint' },
    3: { name: 'isMonotonic', type: 'bool' },
  })
const metric: Message = () => ({
  1: { name: 'name', type: 'string' },
  3: { name: 'unit', type: 'string' },
  5: { name: 'gauge', type: data(numberPoint) },
  7: { name: 'sum', type: data(numberPoint) },
  9: { name: 'histogram', type: data(histogramPoint) },
  10: { name: 'exponentialHistogram', type: data(exponentialPoint) },
  11: { name: 'summary', type: data(summaryPoint) },
})
const scopeMetrics: Message = () => ({ 2: { name: 'metrics', type: metric, isList: true } })
const resource: Message = () => ({ 1: attributes })
const resourceMetrics: Message = () => ({
  1: { name: 'resource', type: resource },
  2: { name: 'scopeMetrics', type: scopeMetrics, isList: true },
})
const exportRequest: Message = () => ({ 1: { name: 'resourceMetrics', type: resourceMetrics, isList: true } })

/** An ExportMetricsServiceRequest as OTLP/JSON has it. @throws OtlpError */
export function decodeOtlp(bytes: Uint8Array): object {
  return readMessage(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), exportRequest)
}

/** https://protobuf.dev/programming-guides/encoding/ */
function readMessage(view: DataView, message: Message): object {
  const fields = message()
  const found: Record<string, unknown> = {}
  let position = 0
  while (position < view.byteLength) {
    const tag = varint()
    const field = fields[Number(tag >> 3n)]
    const value = valueOf(Number(tag & 7n), field)
    if (field === undefined || value === undefined) continue
    if ('isList' in field) {
      const list = found[field.name]
      if (Array.isArray(list)) list.push(value)
      else found[field.name] = [value]
    } else found[field.name] = value
  }
  return found

  function varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = view.getUint8(take(1))
      value |= BigInt(byte & 127) << shift
      if (byte < 128) return BigInt.asUintN(64, value)
    }
    throw new OtlpError('A number is too long.')
  }

  function take(count: number): number {
    const start = position
    position += count
    if (position > view.byteLength) throw new OtlpError('The message is cut off.')
    return start
  }

  function valueOf(wireType: number, field: Field | undefined): unknown {
    switch (wireType) {
      case 0: {
        const value = varint()
        return field?.type === 'bool' ? value !== 0n : Number(BigInt.asIntN(64, value))
      }
      case 1: {
        const start = take(8)
        if (field?.type === 'double') return view.getFloat64(start, true)
        return Number(
          field?.type === 'sfixed64' ? view.getBigInt64(start, true) : view.getBigUint64(start, true),
        )
      }
      case 2: {
        const length = Number(varint())
        const part = new DataView(view.buffer, view.byteOffset + take(length), length)
        if (typeof field?.type === 'function') return readMessage(part, field.type)
        return field?.type === 'string' ? new TextDecoder().decode(part) : undefined
      }
      case 5:
        take(4)
        return undefined
      default:
        throw new OtlpError('There is no such type of field.')
    }
  }
}
