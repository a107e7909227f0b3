import { expect, test } from 'vitest'
import { Demangler } from './demangler.ts'

// As `c++filt` has them, but for hashes of Rust; those of MSVC as `llvm-undname`, but for access and what is returned.
test.each<[what: string, mangled: string, name: string]>([
  [
    'C++',
    '_ZNSt6vectorIiSaIiEE9push_backERKi',
    'std::vector<int, std::allocator<int> >::push_back(int const&)',
  ],
  ['C++, of macOS', '__ZN3foo3barEv', 'foo::bar()'],
  ['C++, a constructor', '_ZN3FooC1Ev', 'Foo::Foo()'],
  ['C++, a clone', '_ZN3foo3barEv.constprop.0', 'foo::bar() [clone .constprop.0]'],
  ['MSVC', '?foo@@YAHH@Z', 'foo(int)'],
  ['MSVC, a constructor', '??0Foo@@QEAA@XZ', 'Foo::Foo(void)'],
  ['Rust, legacy', '_ZN3std2io5stdio6_print17h0123456789abcdefE', 'std::io::stdio::_print'],
  ['Rust, of LTO', '_ZN3std2io5stdio6_print17h0123456789abcdefE.llvm.1234', 'std::io::stdio::_print'],
  [
    'Rust, legacy with an implementation',
    '_ZN60_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..Drop$GT$4drop17h0123456789abcdefE',
    '<alloc::vec::Vec<T> as core::ops::Drop>::drop',
  ],
  ['Rust, v0', '_RNvMs_NtCs1_4core3fmtNtB4_9Formatter3pad', '<core::fmt::Formatter>::pad'],
  ['Rust, v0 with generics', '_RINvNtC3std3mem8align_ofdE', 'std::mem::align_of::<f64>'],
])('%s: %s', (_what, mangled, name) => {
  expect(new Demangler().demangle(mangled)).toBe(name)
})

test.each([
  'main',
  '_Unwind_Resume',
  '_start',
  '_foo@8',
  '_ZNbroken',
  '_Z',
  '_R',
  '?',
  '?anonymous',
  'Java_com_example_Native_call',
  '$s4main3fooyyF',
  'runtime.mallocgc',
  '',
])('the name %j is left as it is', (name) => {
  expect(new Demangler().demangle(name)).toBe(name)
})

test('a name that nests too deep is left, and those after it are read', () => {
  const demangler = new Demangler()
  const deep = `_RINvC1a1f${'R'.repeat(9_900)}lE`
  expect(demangler.demangle(deep)).toBe(deep)
  expect(demangler.demangle('_Z1fi')).toBe('f(int)')
})

test('names that double with every part take an end', () => {
  const demangler = new Demangler()
  const bomb = `_Z1f1AIiE${doublings(40)}`
  while (!demangler.isExhausted) expect(demangler.demangle(bomb)).toBe(bomb)
  expect(demangler.demangle('_Z1fi')).toBe('_Z1fi')
  expect(new Demangler().demangle('_Z1fi')).toBe('f(int)')
})

/** `B<A, A>`, `B<B<A, A>, B<A, A>>` and so on: each argument stands for twice as much as the one before. */
function doublings(count: number): string {
  return Array.from({ length: count }, (_, level) => substitution(1 + 2 * level))
    .map((before) => `1BI${before}${before}E`)
    .join('')
}

function substitution(index: number): string {
  return `S${(index - 1).toString(36).toUpperCase()}_`
}
