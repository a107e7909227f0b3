import type { BenchmarkMetric } from '../benchmark-result.ts'

type Kind = Omit<BenchmarkMetric, 'value'>

function counted(name: string, unit: string): Kind {
  return { name, unit, betterWhen: 'lower' }
}

function rate(name: string, betterWhen: 'lower' | 'higher'): Kind {
  return { name, unit: '%', betterWhen }
}

/**
 * Everything that Valgrind's tools count, by the name that callgrind, iai and gungraun give it, without case, blanks and
 * signs. More accesses to the first cache are neither good nor bad by themselves.
 */
const KINDS = new Map<string, Kind>(
  Object.entries({
    ir: counted('instructions', 'instructions'),
    instructions: counted('instructions', 'instructions'),
    estimatedcycles: counted('estimated_cycles', 'cycles'),
    l1hits: { name: 'l1_hits', unit: 'accesses' },
    l1accesses: { name: 'l1_hits', unit: 'accesses' },
    llhits: counted('ll_hits', 'accesses'),
    l2hits: counted('ll_hits', 'accesses'),
    l2accesses: counted('ll_hits', 'accesses'),
    ramhits: counted('ram_hits', 'accesses'),
    ramaccesses: counted('ram_hits', 'accesses'),
    totalrw: counted('total_read_write', 'accesses'),
    totalreadwrite: counted('total_read_write', 'accesses'),
    dr: counted('dr', 'reads'),
    dw: counted('dw', 'writes'),
    i1mr: counted('i1mr', 'misses'),
    d1mr: counted('d1mr', 'misses'),
    d1mw: counted('d1mw', 'misses'),
    ilmr: counted('ilmr', 'misses'),
    dlmr: counted('dlmr', 'misses'),
    dlmw: counted('dlmw', 'misses'),
    l1misses: counted('l1_misses', 'misses'),
    llmisses: counted('ll_misses', 'misses'),
    i1missrate: rate('i1_miss_rate', 'lower'),
    d1missrate: rate('d1_miss_rate', 'lower'),
    llimissrate: rate('lli_miss_rate', 'lower'),
    lldmissrate: rate('lld_miss_rate', 'lower'),
    llmissrate: rate('ll_miss_rate', 'lower'),
    l1hitrate: rate('l1_hit_rate', 'higher'),
    llhitrate: { name: 'll_hit_rate', unit: '%' },
    ramhitrate: rate('ram_hit_rate', 'lower'),
    bc: counted('conditional_branches', 'branches'),
    bcm: counted('conditional_branches_mispredicted', 'branches'),
    bi: counted('indirect_branches', 'branches'),
    bim: counted('indirect_branches_mispredicted', 'branches'),
    syscount: counted('sys_count', 'calls'),
    attgmaxbytes: counted('peak_memory', 'B'),
    attgmaxblocks: counted('blocks_at_peak', 'blocks'),
    attendbytes: counted('memory_at_end', 'B'),
    attendblocks: counted('blocks_at_end', 'blocks'),
    totalbytes: counted('total_allocated', 'B'),
    totalblocks: counted('allocations', 'allocations'),
    readsbytes: counted('bytes_read', 'B'),
    writesbytes: counted('bytes_written', 'B'),
    errors: counted('errors', 'errors'),
    contexts: counted('error_contexts', 'contexts'),
    suppressederrors: counted('suppressed_errors', 'errors'),
    suppressedcontexts: counted('suppressed_error_contexts', 'contexts'),
  }),
)

/** A number that one of Valgrind's tools counted, named alike for all who print it; in no unit when it is not known. */
export function valgrindMetric(printedName: string, value: number): BenchmarkMetric {
  const kind = KINDS.get(printedName.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  const { name, unit, betterWhen } = kind ?? { name: snakeCase(printedName), unit: '' }
  return { name, value, unit, ...(betterWhen && { betterWhen }) }
}

/** `SpLoss1` → `sp_loss1`, `Total lifetimes` → `total_lifetimes`. */
function snakeCase(name: string): string {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_')
}
