import { decodeProtobuf, type Field, type Message } from './protobuf.ts'

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/common/v1/common.proto
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
const resource: Message = () => ({ 1: attributes })

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/metrics/v1/metrics.proto
const times: Record<number, Field> = {
  2: { name: 'startTimeUnixNano', type: 'time' },
  3: { name: 'timeUnixNano', type: 'time' },
}
const sums: Record<number, Field> = {
  4: { name: 'count', type: 'fixed64' },
  5: { name: 'sum', type: 'double' },
}
const flags = { name: 'flags', type: 'varint' } as const
const numberPoint: Message = () => ({
  ...times,
  4: { name: 'asDouble', type: 'double' },
  6: { name: 'asInt', type: 'sfixed64' },
  7: attributes,
  8: flags,
})
const histogramPoint: Message = () => ({
  ...times,
  ...sums,
  6: { name: 'bucketCounts', type: 'fixed64', isList: true },
  7: { name: 'explicitBounds', type: 'double', isList: true },
  9: attributes,
  10: flags,
  12: { name: 'max', type: 'double' },
})
const exponentialBuckets: Message = () => ({
  1: { name: 'offset', type: 'zigzag' },
  2: { name: 'bucketCounts', type: 'varint', isList: true },
})
const exponentialPoint: Message = () => ({
  ...times,
  ...sums,
  1: attributes,
  6: { name: 'scale', type: 'zigzag' },
  7: { name: 'zeroCount', type: 'fixed64' },
  8: { name: 'positive', type: exponentialBuckets },
  9: { name: 'negative', type: exponentialBuckets },
  10: flags,
  13: { name: 'max', type: 'double' },
})
const quantile: Message = () => ({
  1: { name: 'quantile', type: 'double' },
  2: { name: 'value', type: 'double' },
})
const summaryPoint: Message = () => ({
  ...times,
  ...sums,
  6: { name: 'quantileValues', type: quantile, isList: true },
  7: attributes,
  8: flags,
})
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
const resourceMetrics: Message = () => ({
  1: { name: 'resource', type: resource },
  2: { name: 'scopeMetrics', type: scopeMetrics, isList: true },
})
const metricsRequest: Message = () => ({
  1: { name: 'resourceMetrics', type: resourceMetrics, isList: true },
})

// https://github.com/open-telemetry/opentelemetry-proto/blob/main/opentelemetry/proto/trace/v1/trace.proto
const event: Message = () => ({ 2: { name: 'name', type: 'string' }, 3: attributes })
const status: Message = () => ({
  2: { name: 'message', type: 'string' },
  3: { name: 'code', type: 'varint' },
})
const span: Message = () => ({
  1: { name: 'traceId', type: 'hex' },
  2: { name: 'spanId', type: 'hex' },
  5: { name: 'name', type: 'string' },
  6: { name: 'kind', type: 'varint' },
  7: { name: 'startTimeUnixNano', type: 'time' },
  8: { name: 'endTimeUnixNano', type: 'time' },
  9: attributes,
  11: { name: 'events', type: event, isList: true },
  15: { name: 'status', type: status },
})
const scopeSpans: Message = () => ({ 2: { name: 'spans', type: span, isList: true } })
const resourceSpans: Message = () => ({
  1: { name: 'resource', type: resource },
  2: { name: 'scopeSpans', type: scopeSpans, isList: true },
})
const tracesRequest: Message = () => ({ 1: { name: 'resourceSpans', type: resourceSpans, isList: true } })

/** An ExportMetricsServiceRequest as OTLP/JSON has it, as far as it is read here. @throws OtlpError */
export function decodeMetrics(bytes: Uint8Array): object {
  return decodeProtobuf(bytes, metricsRequest)
}

/** An ExportTraceServiceRequest as OTLP/JSON has it, as far as it is read here. @throws OtlpError */
export function decodeTraces(bytes: Uint8Array): object {
  return decodeProtobuf(bytes, tracesRequest)
}
