import type { McpInside } from '@flamegate/mcp-profiling'

/** Of rows in a report. */
const rowsMax = 50
/** Of the largest growth: less than this comes and goes in every program. */
const noticedShare = 0.001

/** What grew, the largest first, without what is too little to be noticed. */
export function noticedGrowth(rows: readonly McpInside['growth'][number][]): McpInside['growth'] {
  const least = noticedShare * Math.max(0, ...rows.map(({ bytes }) => bytes))
  return rows
    .filter(({ bytes }) => bytes > least)
    .toSorted((a, b) => b.bytes - a.bytes)
    .slice(0, rowsMax)
}
