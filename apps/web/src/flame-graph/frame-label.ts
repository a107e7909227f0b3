/**
 * As much of a name as fits into so many characters: all of it, else the part after its package path, else its
 * beginning with an ellipsis; nothing when there is room for less than three.
 */
export function frameLabel(name: string, room: number): string {
  if (name.length <= room) return name
  if (room < 3) return ''
  const short = name.slice(name.lastIndexOf('/') + 1).trimStart() || name
  return short.length <= room ? short : `${short.slice(0, room - 1)}…`
}
