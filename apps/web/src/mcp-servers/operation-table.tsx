import { formatBytes, formatMs, type McpOperationFigures } from '@flamegate/contract'
import { type Column, DataTable } from '../components/data-table.tsx'

/** What was called in a session, by tool or method. */
export function OperationTable({ operations }: { operations: readonly McpOperationFigures[] }) {
  return (
    <DataTable
      label="Operations"
      rows={operations}
      rowKey={({ method, name }) => `${method} ${name}`}
      stacks
      whenEmpty="Nothing was called."
      columns={[
        {
          key: 'operation',
          title: 'Operation',
          grow: true,
          sortBy: ({ method, name }) => name ?? method,
          render: ({ method, name, failures }) => (
            <span className="block min-w-40">
              <span className="block truncate font-medium">{name ?? method}</span>
              {failures.map(({ kind, code, count, message }) => (
                <span key={`${kind} ${code} ${message}`} className="block truncate text-sm text-worse">
                  {count} × {kind} {code}: {message}
                </span>
              ))}
            </span>
          ),
        },
        amount('Calls', ({ calls }) => calls),
        amount('Failed', ({ failed }) => failed),
        time('Mean', ({ mean_ms: ms }) => ms),
        time('p50', ({ p50_ms: ms }) => ms),
        time('p95', ({ p95_ms: ms }) => ms),
        time('p99', ({ p99_ms: ms }) => ms),
        amount('Result', ({ result_bytes: bytes }) => bytes, formatBytes),
        amount(
          'Tokens',
          ({ result_tokens: tokens }) => tokens,
          (tokens) => tokens.toFixed(0),
        ),
      ]}
    />
  )
}

function amount(
  title: string,
  of: (row: McpOperationFigures) => number | null,
  words: (value: number) => string = (value) => value.toLocaleString('en-US'),
): Column<McpOperationFigures> {
  return {
    key: title,
    title,
    align: 'right',
    sortBy: of,
    render: (row) => {
      const value = of(row)
      return value === null ? <span className="text-muted">–</span> : words(value)
    },
  }
}

function time(title: string, of: (row: McpOperationFigures) => number | null): Column<McpOperationFigures> {
  return amount(title, of, (ms) => formatMs(ms) ?? '')
}
