import type { CallerLimit, LimitState } from './limit-state.ts'

/**
 * Every problem a caller can meet, once: the HTTP status, a stable title and what to do. Codes are part of the
 * promise: they are the last segment of `type` in RFC 9457 problem details and of the reference page's anchors.
 */
export const problems = {
  invalid_input: { status: 400, title: 'The input is not valid' },
  malformed_request: { status: 400, title: 'The request could not be read' },
  cursor_invalid: { status: 400, title: 'The cursor does not belong to this listing' },
  confirmation_mismatch: { status: 400, title: 'The confirmation does not match' },
  unauthenticated: { status: 401, title: 'A valid credential is needed' },
  plan_limit_reached: { status: 402, title: 'The plan of the workspace has no more of this' },
  feature_off: { status: 403, title: 'The plan of the workspace does not have this' },
  insufficient_scope: { status: 403, title: 'The credential does not allow this' },
  account_disabled: { status: 403, title: 'The account is disabled' },
  email_unconfirmed: { status: 403, title: 'The e-mail address is not confirmed yet' },
  sso_required: { status: 403, title: 'Log in with single sign-on' },
  proof_needed: { status: 403, title: 'Prove once more who you are' },
  insufficient_role: { status: 403, title: 'Your role in the workspace does not allow this' },
  connection_limited: { status: 403, title: 'This connection may not do that' },
  cross_site_request: { status: 403, title: 'Only our own pages may send this' },
  not_found: { status: 404, title: 'There is nothing at this address' },
  workspace_not_found: { status: 404, title: 'No such workspace' },
  plan_not_found: { status: 404, title: 'No such plan' },
  person_not_found: { status: 404, title: 'No such person' },
  member_not_found: { status: 404, title: 'No such member' },
  sso_not_found: { status: 404, title: 'The workspace has no single sign-on' },
  scim_not_found: { status: 404, title: 'The workspace has no SCIM token' },
  sso_domain_not_found: { status: 404, title: 'No such domain in the workspace' },
  project_not_found: { status: 404, title: 'No such project' },
  repository_not_found: { status: 404, title: 'No such repository' },
  run_not_found: { status: 404, title: 'No such run' },
  benchmark_not_found: { status: 404, title: 'No such benchmark' },
  alert_not_found: { status: 404, title: 'No such alert' },
  webhook_not_found: { status: 404, title: 'No such webhook' },
  monitor_not_found: { status: 404, title: 'No such monitor' },
  notification_not_found: { status: 404, title: 'No such notification' },
  sla_profile_not_found: { status: 404, title: 'No such SLA profile' },
  delivery_not_found: { status: 404, title: 'No such delivery' },
  profile_not_found: { status: 404, title: 'No such profile' },
  virtual_user_not_found: { status: 404, title: 'No such virtual user' },
  scenario_not_found: { status: 404, title: 'No such scenario' },
  validation_not_found: { status: 404, title: 'No such validation' },
  action_not_found: { status: 404, title: 'No such action' },
  schedule_not_found: { status: 404, title: 'No such schedule' },
  bench_result_not_found: { status: 404, title: 'No such bench result' },
  bench_sample_not_found: { status: 404, title: 'No such sample' },
  bench_report_not_found: { status: 404, title: 'No such report' },
  report_item_not_found: { status: 404, title: 'No such item in this report' },
  report_template_not_found: { status: 404, title: 'No such template' },
  load_generator_not_found: { status: 404, title: 'No such load generator' },
  bench_shard_not_found: { status: 404, title: 'No such shard' },
  share_link_not_found: { status: 404, title: 'No such link' },
  function_not_found: { status: 404, title: 'No such function in this profile' },
  target_not_found: { status: 404, title: 'No such target' },
  variable_not_found: { status: 404, title: 'No such variable' },
  http_server_not_found: { status: 404, title: 'No such HTTP server' },
  correlation_rule_not_found: { status: 404, title: 'No such correlation rule' },
  file_not_found: { status: 404, title: 'No such file' },
  owner_not_found: { status: 404, title: 'Nothing that has files' },
  document_not_found: { status: 404, title: 'No such document' },
  guide_not_found: { status: 404, title: 'No such guide' },
  collector_not_found: { status: 404, title: 'No such collector' },
  live_app_not_found: { status: 404, title: 'No such live app' },
  live_recording_not_found: { status: 404, title: 'No such live recording' },
  live_item_not_found: { status: 404, title: 'Nothing of this name in the live app' },
  mcp_target_not_found: { status: 404, title: 'No such MCP target' },
  mcp_session_not_found: { status: 404, title: 'No such session of an MCP server' },
  job_not_found: { status: 404, title: 'No such failed job' },
  task_not_found: { status: 404, title: 'No such task' },
  token_not_found: { status: 404, title: 'No such API token' },
  connected_app_not_found: { status: 404, title: 'No such connected app' },
  oauth_client_not_found: { status: 404, title: 'No such OAuth client' },
  toolset_not_found: { status: 404, title: 'No such toolset' },
  tool_not_found: { status: 404, title: 'No such tool' },
  method_not_allowed: { status: 405, title: 'This address does not answer that method' },
  conflict: { status: 409, title: 'Something with this name exists already' },
  in_use: { status: 409, title: 'Something else still uses this' },
  last_owner: { status: 409, title: 'The last owner of a workspace stays' },
  job_not_repeatable: { status: 409, title: 'This job is not done again' },
  runs_not_comparable: { status: 409, title: 'These runs cannot be compared' },
  not_ready: { status: 409, title: 'This is still being processed' },
  processing_failed: { status: 409, title: 'Processing of this upload failed' },
  no_recording: { status: 409, title: 'There is no recording to compare with' },
  no_profile: { status: 404, title: 'There is no profile of this benchmark' },
  idempotency_key_reused: { status: 409, title: 'The idempotency key was used for another request' },
  request_in_progress: { status: 409, title: 'The same request is still running' },
  version_mismatch: { status: 412, title: 'The document was changed by someone else' },
  too_large: { status: 413, title: 'The content is too large' },
  not_text: { status: 415, title: 'The file is not text' },
  unsupported_media_type: { status: 415, title: 'The content type is not supported' },
  unreadable_results: { status: 422, title: 'The benchmark results could not be read' },
  unreadable_source: { status: 422, title: 'The source could not be imported' },
  unreadable_profile: { status: 422, title: 'The profile could not be read' },
  upload_missing: { status: 422, title: 'Nothing was uploaded yet' },
  rate_limited: { status: 429, title: 'Too many requests' },
  confirmation_required: { status: 428, title: 'This wants to be confirmed first' },
  confirmation_declined: { status: 403, title: 'The person did not agree' },
  cancelled: { status: 499, title: 'Nobody waited for the answer' },
  internal: { status: 500, title: 'Something went wrong on our side' },
  unavailable: { status: 503, title: 'The service is not available right now' },
} as const satisfies Record<string, { status: number; title: string }>

export type ProblemCode = keyof typeof problems

/** One field of an input and what was wrong with it. `field` is a dotted path such as `tags.2`. */
export interface FieldError {
  field: string
  message: string
}

/**
 * Where to go on: an operation and what it does, such as `shows the ones there are`. Each surface names the operation
 * as those who read it know it: agents by its tool, people by its title.
 */
export interface ProblemHint {
  operation: string
  title: string
  text: string
}

/** RFC 9457 problem details as they leave REST; over MCP the same text is an `isError` result. */
export interface ProblemDetails {
  type: string
  title: string
  status: number
  code: ProblemCode
  detail: string
  hint?: ProblemHint
  errors?: FieldError[]
  request_id?: string
  retry_after_seconds?: number
}

/** Something the caller can do something about. Its text says what happened and what to do next. */
export class Problem extends Error {
  readonly code: ProblemCode
  readonly hint: ProblemHint | undefined
  readonly errors: readonly FieldError[] | undefined
  readonly retryAfterSeconds: number | undefined
  /** The limits of the call, when one of them refused it. */
  readonly limits: readonly LimitState[] | undefined
  /**
   * The limit of the caller that refused: until `retryAfterSeconds` are over, every call that counts against it, and costs as much, is
   * refused alike.
   */
  readonly callerLimit: CallerLimit | undefined

  constructor(
    code: ProblemCode,
    detail: string,
    options: {
      /** An operation that helps, and what it does there: `[operations.listRuns, 'shows the ones there are']`. */
      hint?: readonly [operation: { id: string; title: string }, text: string]
      errors?: readonly FieldError[]
      cause?: unknown
      retryAfterSeconds?: number
      limits?: readonly LimitState[]
      callerLimit?: CallerLimit | undefined
    } = {},
  ) {
    super(detail, { cause: options.cause })
    this.name = 'Problem'
    this.code = code
    this.hint = options.hint && hintAt(...options.hint)
    this.errors = options.errors
    this.retryAfterSeconds = options.retryAfterSeconds
    this.limits = options.limits
    this.callerLimit = options.callerLimit
  }

  get status(): number {
    return problems[this.code].status
  }

  /** `docsUrl` is where the reference of problems lives; the code is its anchor. */
  toDetails(docsUrl: string, requestId?: string): ProblemDetails {
    const { status, title } = problems[this.code]
    return {
      type: `${docsUrl}#${this.code}`,
      title,
      status,
      code: this.code,
      detail: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      ...(this.errors?.length ? { errors: [...this.errors] } : {}),
      ...(requestId ? { request_id: requestId } : {}),
      ...(this.retryAfterSeconds === undefined ? {} : { retry_after_seconds: this.retryAfterSeconds }),
    }
  }
}

function hintAt({ id, title }: { id: string; title: string }, text: string): ProblemHint {
  return { operation: id, title, text }
}

/** A problem as an agent reads it: title, detail, the tool that helps, then one line per field. */
export function problemText({
  title,
  code,
  detail,
  hint,
  errors = [],
}: Pick<ProblemDetails, 'title' | 'detail' | 'hint' | 'errors' | 'code'>): string {
  const advice = hint === undefined ? '' : ` ${hint.operation} ${hint.text}.`
  const fields = errors.map((error) => `- ${error.field}: ${error.message}`)
  return [`${title} (${code}). ${detail}${advice}`, ...fields].join('\n')
}

/** The detail of a problem as people read it, who know operations by their titles. */
export function problemDetailForPeople({ detail, hint }: Pick<ProblemDetails, 'detail' | 'hint'>): string {
  return hint === undefined ? detail : `${detail} “${hint.title}” ${hint.text}.`
}
