/** A column with secrets, and for what they were sealed. */
export interface SealedColumn {
  table: string
  column: string
  /** Of the thing that it was sealed for. */
  idColumn: string
  /** Null: it belongs to a person. */
  workspaceColumn: 'workspace_id' | null
  /** Of the row. */
  primaryKey: readonly [string] | readonly [string, string]
}

const tenantKey = ['workspace_id', 'id'] as const

/** All of them: a test looks for others. */
export const sealedColumns: readonly SealedColumn[] = [
  ...(['sealed_url', 'sealed_secret', 'sealed_previous_secret'] as const).map((column) => ({
    table: 'webhooks',
    column,
    idColumn: 'id',
    workspaceColumn: 'workspace_id' as const,
    primaryKey: tenantKey,
  })),
  ...(['sealed_url', 'sealed_secret'] as const).map((column) => ({
    table: 'notifications',
    column,
    idColumn: 'id',
    workspaceColumn: 'workspace_id' as const,
    primaryKey: tenantKey,
  })),
  {
    table: 'github_reports',
    column: 'sealed_token',
    idColumn: 'project_id',
    workspaceColumn: 'workspace_id',
    primaryKey: ['workspace_id', 'project_id'],
  },
  {
    table: 'design_objects',
    column: 'sealed_secret',
    idColumn: 'project_id',
    workspaceColumn: 'workspace_id',
    primaryKey: tenantKey,
  },
  {
    table: 'workspace_sso',
    column: 'sealed_client_secret',
    idColumn: 'workspace_id',
    workspaceColumn: 'workspace_id',
    primaryKey: ['workspace_id'],
  },
  {
    table: 'totp_secrets',
    column: 'sealed_secret',
    idColumn: 'user_id',
    workspaceColumn: null,
    primaryKey: ['user_id'],
  },
  {
    table: 'idempotency_keys',
    column: 'sealed_answer',
    idColumn: 'user_id',
    workspaceColumn: null,
    primaryKey: ['user_id', 'key'],
  },
]
