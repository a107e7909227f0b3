import type { ImportedProfile } from '../profile.ts'
import { Demangler } from './demangler.ts'
import { renameFunctions } from './rename-functions.ts'

/**
 * The profile with names as people wrote them, where compilers of C++ or Rust mangled them; see `Demangler`. Mangled names are
 * not kept: they say nothing more, but for Rust's hashes, which differ from build to build and would keep a function from
 * being found again. Objects of heap snapshots are not named by such compilers.
 */
export function demangleProfile(profile: ImportedProfile): ImportedProfile {
  if (profile.heapGraph !== undefined) return profile
  const demangler = new Demangler()
  const { names } = profile.functions
  const demangled = names.map((name) => demangler.demangle(name))
  if (demangled.every((name, index) => name === names[index])) return profile
  const renamed = renameFunctions(profile, demangled)
  if (!demangler.isExhausted) return renamed
  return {
    ...renamed,
    warnings: [...renamed.warnings, 'Names take too long to demangle: some were left as they are.'],
  }
}
