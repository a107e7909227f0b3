import { context, propagation, trace } from '@opentelemetry/api'

export interface Tracing {
  /** Sends what is left and stops. */
  stop(): Promise<void>
}

/**
 * Sends OpenTelemetry traces as OTLP over HTTP when an endpoint is set; else nothing is even loaded and every span
 * costs nothing. Headers, time limits and the like come from the standard `OTEL_EXPORTER_` variables, which the
 * exporter reads itself: https://opentelemetry.io/docs/specs/otel/protocol/exporter/
 * @param share Of all traces, 0 to 1. The id of a trace decides, in every process alike, and not what a caller says: nobody
 *   outside can make us trace more.
 */
export async function startTracing(
  serviceName: string,
  endpoint: string | undefined,
  share = 1,
): Promise<Tracing | undefined> {
  if (endpoint === undefined) return undefined
  const [
    { AsyncLocalStorageContextManager },
    { W3CTraceContextPropagator },
    { OTLPTraceExporter },
    resources,
    sdk,
  ] = await Promise.all([
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/core'),
    import('@opentelemetry/exporter-trace-otlp-http'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/sdk-trace'),
  ])
  const contextManager = new AsyncLocalStorageContextManager()
  context.setGlobalContextManager(contextManager.enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` })
  const provider = new sdk.TracerProvider({
    resource: resources.resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new sdk.TraceIdRatioBasedSampler(share),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter })],
  })
  trace.setGlobalTracerProvider(provider)
  return {
    async stop() {
      await provider.shutdown()
      trace.disable()
      context.disable()
      propagation.disable()
    },
  }
}
