/** Whether a difference between two environments can move a measurement. */
export interface DifferenceWeight {
  weight: 'matters' | 'minor'
  /** In words. */
  reason: string
}

interface Rule {
  keys: RegExp
  /** Whether it applies to these two values; always, when left out. */
  applies?: (base: string, head: string) => boolean
  weight: DifferenceWeight['weight']
  reason: string
}

/** The first that fits decides. Keys are in snake_case; of `library:<name>` the rules see `library:` only. */
const rules: readonly Rule[] = [
  {
    keys: /./,
    applies: isOtherBuildOfOneFile,
    weight: 'minor',
    reason: 'It is the same version in another build.',
  },
  { keys: /^library:/, weight: 'matters', reason: 'A library that is part of what was measured is another.' },
  {
    keys: /(^|_)(date|time|timestamp|datetime|started(_at)?|uptime|boot_time)$/,
    weight: 'minor',
    reason: 'It says when the run was made.',
  },
  {
    keys: /(^|_)(host|hostname|host_name|machine_id|instance_id|user|username|runner_name|ip|mac_address)$/,
    weight: 'minor',
    reason: 'It names a machine or a person and not how fast the machine is.',
  },
  {
    keys: /(^|_)(p?pid|process_id|thread_id|run_id|job|job_id|job_name|build_number|build_url|seed|aslr_base|session_id)$/,
    weight: 'minor',
    reason: 'It is another in every run.',
  },
  {
    keys: /(^|_)(load|load_average|loadavg|mem(ory)?_(free|available|used)|free_mem(ory)?|available_mem(ory)?|swap_(free|used)|disk_(free|used)|temperature)$/,
    weight: 'minor',
    reason: 'It is the state of a moment.',
  },
  {
    keys: /(^|_)(mhz|cpu_mhz|cpu_freq|cpu_frequency|clock_mhz|cpu_hz|hz_actual|hz_actual_friendly)$/,
    weight: 'minor',
    reason: 'It is the clock rate of a moment; the processor itself is told apart by its model.',
  },
  {
    keys: /(^|_)(cwd|working_directory|executable|path|home|tmpdir|temp_dir|shell|term|locale|lang|timezone|tz)$/,
    weight: 'minor',
    reason: 'It is a place or a habit of the machine that programs seldom read.',
  },
  {
    keys: /(^|_)(branch|commit|commit_hash|sha|revision|git_.*)$/,
    weight: 'minor',
    reason: 'It is what the runs are about, not the conditions they were made under.',
  },
  {
    keys: /^(os|kernel|distribution|os_.*|kernel_.*)$/,
    applies: isOtherBuildOfOneSystem,
    weight: 'minor',
    reason: 'It is the same version of the system in another build.',
  },
  {
    keys: /(^|_)(memory|total_memory|memory_total|memory_gb|memory_bytes|ram|total_ram)(_\w+)?$/,
    applies: areWithinTenPercent,
    weight: 'minor',
    reason: 'It is nearly the same size; virtual machines of one kind differ by so much.',
  },
  {
    keys: /^(arch|architecture|goarch|cpu_arch)$/,
    weight: 'matters',
    reason: 'It is another architecture, with other instructions.',
  },
  {
    keys: /(^|_)cpus?(_|$)|(^|_)cores?(_|$)|gomaxprocs|threads/,
    weight: 'matters',
    reason: 'The processor, or what the program may use of it, is another.',
  },
  {
    keys: /^(os|goos|kernel|distribution|os_.*|kernel_.*)$/,
    weight: 'matters',
    reason: 'It is another system or another version of it.',
  },
  {
    keys: /runtime|compiler|toolchain|interpreter|(^|_)(jdk|jvm|vm|node|python|go|rustc|ruby|java|dotnet|flags|build_type|optimi[sz]ation)(_|$)/,
    weight: 'matters',
    reason: 'The code was built or run by something else.',
  },
]

/** What no rule knows was told on purpose, so it matters. */
const unknown: DifferenceWeight = {
  weight: 'matters',
  reason: 'Whoever sent the runs holds it for part of the conditions.',
}

/**
 * Whether a difference in one property casts doubt on a change. Most false alarms about environments come from properties
 * that differ between any two runs, or from one system in another build (`6.8.0-1015-azure`, `6.8.0-1017-azure`).
 */
export function weighDifference(
  key: string,
  { base, head }: { base: string; head: string },
): DifferenceWeight {
  const name = key.startsWith('library:') ? 'library:' : key.toLowerCase().replaceAll(/[\s.:-]+/g, '_')
  const rule = rules.find(({ keys, applies }) => keys.test(name) && (applies?.(base, head) ?? true))
  return rule ? { weight: rule.weight, reason: rule.reason } : unknown
}

/** One path or version with two build ids: hexadecimal, of 16 digits and more. */
function isOtherBuildOfOneFile(base: string, head: string): boolean {
  const [ofBase, ofHead] = [base, head].map((value) => value.replaceAll(/\b[0-9a-f]{16,}\b/gi, '').trim())
  return ofBase === ofHead && ofBase !== ''
}

/** `linux 6.8.0-1015-azure` and `linux 6.8.0-1017-azure`: what follows the three parts of the version is the build. */
function isOtherBuildOfOneSystem(base: string, head: string): boolean {
  const [ofBase, ofHead] = [base, head].map((value) => value.replaceAll(/(\d+\.\d+\.\d+)[-+~].*$/g, '$1'))
  return ofBase === ofHead
}

function areWithinTenPercent(base: string, head: string): boolean {
  const [ofBase, ofHead] = [Number.parseFloat(base), Number.parseFloat(head)]
  return unitOf(base) === unitOf(head) && Math.abs(Math.log(ofBase / ofHead)) < 0.1
}

function unitOf(amount: string): string {
  return amount.replace(/[\d.,\s]+/, '')
}
