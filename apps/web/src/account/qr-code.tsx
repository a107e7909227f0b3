/** A QR code of rows of `0` and `1`, dark on light in either theme: cameras want it so. */
export function QrCode({ rows, label }: { rows: readonly string[]; label: string }) {
  // Four modules of quiet all around (ISO/IEC 18004, 5.3.8).
  const side = rows.length + 8
  const dark = rows.flatMap((row, y) =>
    Array.from(row).flatMap((module, x) => (module === '1' ? [`M${x + 4} ${y + 4}h1v1h-1z`] : [])),
  )
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-48 rounded-md"
    >
      <path fill="#ffffff" d={`M0 0h${side}v${side}h-${side}z`} />
      <path fill="#000000" d={dark.join('')} />
    </svg>
  )
}
