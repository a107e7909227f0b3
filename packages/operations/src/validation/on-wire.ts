import type { operations, OutputOf } from '@flamegate/contract'
import type { Exchange, ExchangeBody, ExchangeTimings } from '@flamegate/loadtest'
import type { KeptResult, Validation } from '../ports/index.ts'
import { isoOrNull } from '../wire.ts'

type Detail = OutputOf<typeof operations.getValidationFailureDetail>
type ExchangeOnWire = Detail['exchanges'][number]

export function validationOnWire(
  validation: Validation,
): OutputOf<typeof operations.validateVirtualUser>['validation'] {
  return {
    id: validation.id,
    virtual_user_id: validation.virtualUserId,
    version: validation.version,
    state: validation.state,
    iterations: validation.iterations,
    passed: validation.passed,
    failed: validation.failed,
    skipped: validation.skipped,
    message: validation.message,
    created_at: validation.createdAt.toISOString(),
    started_at: isoOrNull(validation.startedAt),
    finished_at: isoOrNull(validation.finishedAt),
    expires_at: validation.expiresAt.toISOString(),
    task_id: validation.taskId,
  }
}

export function resultOnWire(result: KeptResult, cause: string | null): Detail['action'] {
  return {
    sequence: result.sequence,
    iteration: result.iteration + 1,
    action_id: result.actionId,
    type: result.type,
    name: result.name,
    path: result.path,
    outcome: result.outcome,
    status: result.status,
    recorded_status: result.recordedStatus,
    started_at: result.startedAt,
    duration_ms: result.durationMs,
    sent_bytes: result.sentBytes,
    received_bytes: result.receivedBytes,
    failure: result.failure,
    cause,
  }
}

export function exchangeOnWire(role: ExchangeOnWire['role'], exchange: Exchange): ExchangeOnWire {
  const { request, response, timings } = exchange
  return {
    role,
    method: request.method,
    request_url: request.url,
    request_headers: request.headers.map(({ name, value }) => ({ name, value })),
    request_body: bodyOnWire(request.body),
    status: response?.status ?? null,
    response_headers: (response?.headers ?? []).map(({ name, value }) => ({ name, value })),
    response_body: bodyOnWire(response?.body ?? null),
    error: exchange.error,
    remote_address: exchange.remoteAddress,
    timings_ms: timingsOnWire(timings),
  }
}

export function timingsOnWire(timings: ExchangeTimings): ExchangeOnWire['timings_ms'] {
  return {
    blocked: timings.blockedMs,
    dns: timings.dnsMs,
    connect: timings.connectMs,
    tls: timings.tlsMs,
    send: timings.sendMs,
    first_byte: timings.firstByteMs,
    download: timings.downloadMs,
    total: timings.totalMs,
  }
}

/** What a body is; its content is asked for apart. */
function bodyOnWire(body: ExchangeBody | null): ExchangeOnWire['request_body'] {
  if (body === null) return null
  return {
    content_type: body.contentType,
    size_bytes: body.sizeBytes,
    is_kept: body.content !== null,
    encoding: body.encoding,
    is_cut: body.isCut,
  }
}
