import type { PlannedFile } from '../ports/index.ts'

/** What a piece of the log of requests is kept as: by its name, pieces of all agents come in about the order of their times. */
export function pieceOfLog(slot: number, sequence: number, sizeBytes: number): PlannedFile {
  return {
    name: `${String(sequence).padStart(7, '0')}.${String(slot).padStart(5, '0')}`,
    purpose: 'request_log_piece',
    contentType: 'application/gzip',
    sizeBytes,
  }
}

/** Of which agent a piece is, by its name. */
export function slotOfPiece({ name }: { name: string }): number {
  return Number(name.split('.')[1])
}
