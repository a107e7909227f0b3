import { filePath } from '../model/template.ts'

/**
 * Path of a project file for a file that a source names by its own path, on a machine that is not ours: its last part.
 * @param folder of the project, in which it is; with '' it is in none
 */
export function projectPath(path: string, folder = 'uploads'): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== '' && part !== '.' && part !== '..') ?? 'file'
  const inFolder = (name: string) => (folder === '' ? name : `${folder}/${name}`)
  const whole = inFolder(last.replaceAll('\0', '').slice(-150))
  return filePath.safeParse(whole).success ? whole : inFolder('file')
}
