/**
 * Whose code a function is, told by where its file is and how it is called. Of the rules the first counts of which all patterns
 * are found. In `origin`, `$1` is the first group of the last pattern. Paths have `/` only; what is not known is ''.
 */
export interface BuiltInRule {
  path?: RegExp
  name?: RegExp
  origin: string
}

const [library, runtime, kernel, unknown] = ['Standard library', 'Runtime', 'Kernel', 'Unknown']

export const builtInRules: readonly BuiltInRule[] = [
  // What profilers write where they know nothing.
  { name: /^[<[(]unknown[>\])]$/, origin: unknown },

  // The JVM: jars by Maven, Gradle or alone; what it is written in, what it brings, and libraries by their packages.
  { path: /\/\.m2\/repository\/.*\/([^/]+)\/(\d[^/]*)\/[^/]+\.jar/, origin: '$1@$2' },
  { path: /(?:^|\/)([\w.-]+?)-(\d[\w.]*(?:-SNAPSHOT)?)\.jar(?:!|$)/, origin: '$1@$2' },
  { path: /(^|\/)(libjvm\.(so|dylib)|jvm\.dll)$/, origin: runtime },
  { path: /(^|\/)(lib)?(java|jli|net|nio|zip|jimage|verify|management)\.(so|dylib|dll)$/, origin: library },
  {
    path: /^$|\.(java|kt|scala|clj|groovy)$/,
    name: /^(java|javax|jdk|sun|com[./]sun|kotlin|kotlinx|scala|clojure|groovy[./]lang)[./]/,
    origin: library,
  },
  {
    path: /^$|\.(java|kt|scala|clj|groovy)$/,
    name: /^((?:org[./](?:apache|eclipse|springframework|hibernate)|com[./](?:google|amazonaws|fasterxml|microsoft)|io[./](?:opentelemetry|micrometer|quarkus))[./][\w]+|(?:io[./](?:netty|grpc|vertx|undertow|prometheus)|org[./](?:slf4j|junit|mockito|postgresql|jetbrains|openjdk[./]jmh|objectweb|xerial|mozilla[./]javascript)|ch[./]qos[./]logback|com[./](?:mysql|zaxxer|squareup|github[./]benmanes)|reactor|akka|okhttp3|okio|rx|lombok|net[./]bytebuddy|net[./]jpountz|datadog|redis[./]clients))[./]/,
    origin: '$1',
  },
  { path: /\.(java|kt|scala|clj|groovy)$/, origin: 'User code' },

  // The kernel: perf's binaries and modules, stackcollapse-perf.pl's mark, FreeBSD, Windows, macOS.
  { path: /^\[(kernel|guest\.kernel)|\bvmlinux\b|\.ko(\.\w+)?$|^\[(vdso|vsyscall)\]$/, origin: kernel },
  { path: /^\/boot\/kernel\/|(^|\/)(ntoskrnl\.exe|mach_kernel)$|\.sys$/, origin: kernel },
  { name: /_\[k\]$|^_kernelrpc_/, origin: kernel },

  // V8 for its own work, `(garbage collector)`, and its builtins that are written in JavaScript.
  {
    path: /^$/,
    name: /^\((program|garbage collector|idle|root|native|GC|BAILOUT|V8 API)\)$/,
    origin: runtime,
  },
  { path: /^$/, name: /^(\([A-Z_]+\)|RegExp: .*)$/, origin: runtime },
  { path: /^(native [\w-]+\.js|extensions::\w+)$/, origin: runtime },
  // What programs hold of V8 and Node.js themselves.
  { path: /(^|\/)(node|libnode\.so[\d.]*|node\.exe)$/, origin: runtime },
  { name: /^(v8|node)::|^Builtins_/, path: /^([^.]*|.*\.(so[\d.]*|dylib|dll|exe))$/, origin: runtime },
  // Firefox and Chrome, without the pages in them.
  { path: /^(chrome|resource|moz-src|chrome-extension|moz-extension|devtools):\/\//, origin: runtime },
  { path: /(^|\/)(libxul\.so|XUL|xul\.dll|libmozglue\.\w+)$/, origin: runtime },

  // Scripts of other hosts: https://esm.sh/react@18.2.0/…, unpkg.com, cdn.jsdelivr.net/npm/, deno.land/x/
  { path: /^https:\/\/deno\.land\/std@|^https:\/\/jsr\.io\/@std\/|^ext:\w+\//, origin: library },
  {
    path: /^https:\/\/(?:esm\.sh|unpkg\.com|deno\.land\/x|cdn\.jsdelivr\.net\/npm)\/(?:v\d+\/)?((?:@[^/@]+\/)?[^/@]+@\d[^/?]*)/,
    origin: '$1',
  },
  // `node:fs` is the library; `node:internal/…` and, before version 12, `internal/…` is the machinery below.
  { path: /^(node:)?internal\/|^bootstrap_node\.js$/, origin: runtime },
  { path: /^(node|bun):|^[a-z_0-9]+\.js$/, origin: library },

  // Rust: crates of a registry, of Git, beside the project; the library by its own build's path, or by name.
  { path: /\/registry\/src\/[^/]+\/([^/]+)-(\d+\.\d+\.[^/]*)\//, origin: '$1@$2' },
  { path: /\.cargo\/git\/checkouts\/([^/]+)-[0-9a-f]{16}\//, origin: '$1' },
  { path: /(^|\/)rustc\/[0-9a-f]+\/|rustlib\/src\/rust\/library\//, origin: library },
  { path: /(?:^|\/)vendor\/([\w-]+)\/(?:.*\/)?src\/[^/]+(?:\/[^/]+)*\.rs$/, origin: '$1' },
  {
    name: /^<*&?(?:mut |dyn )?(core|alloc|std|proc_macro)::/,
    path: /^([^/]*|.*\.rs|.*\/[^./]*)$/,
    origin: library,
  },

  // Python: installed packages (eggs have their version), its own modules, what is written in C or frozen.
  { path: /(?:^|\/)(?:site|dist)-packages\/([^/-]+)-(\d[^/-]*)(?:-py[\d.]+)?[^/]*\.egg\//, origin: '$1@$2' },
  {
    path: /(?:^|\/)(?:site|dist)-packages\/([^/]+?)(?:\.(?:py|pyx|so|pyd)|\.cpython-[^/]*)?(?:\/|$)/,
    origin: '$1',
  },
  { path: /(^|\/)lib\/(pypy|python)\d(\.\d+)?t?\/|(^|\/)Python\d+\/Lib\//i, origin: library },
  { path: /^<(frozen |built-in)/, origin: runtime },
  { path: /^~?$/, name: /^(\{.+\}|<built-in .+>|<method .+>)$/, origin: library },
  { path: /(^|\/)(lib)?python[\d.]*(\.so[\d.]*|\.dll|\.dylib)?$/, origin: runtime },

  // Ruby: gems, its own library, what is written in C.
  { path: /\/bundler\/gems\/([^/]+)-[0-9a-f]{7,40}\//, origin: '$1' },
  { path: /\/gems\/([^/]+)-(\d[^/]*)\//, origin: '$1@$2' },
  { path: /\/lib\/ruby\/\d[\d.]*\//, origin: library },
  { path: /^<internal:/, origin: runtime },
  { path: /^(<cfunc>|\(c function\))$/, origin: library },
  { path: /(^|\/)(libruby[\w.-]*|ruby)$/, origin: runtime },

  // PHP, by Composer.
  { path: /(?:^|\/)vendor\/([\w.-]+\/[\w.-]+)\/.*\.php$/, origin: '$1' },

  // .NET: `System.Private.CoreLib!System.String.Concat`.
  { name: /^(System|Microsoft|mscorlib|netstandard)\b[\w.]*!/, origin: library },
  { path: /(^|\/)(coreclr\.dll|libcoreclr\.(so|dylib)|clrjit\.dll|libclrjit\.(so|dylib))$/, origin: runtime },

  // Haskell's own modules.
  { name: /^GHC\.[A-Z]/, origin: library },

  // C and C++: glibc as Debian and others build it, musl, the systems of Apple and Windows, libstdc++ and libc++.
  { path: /^\.\/([\w-]+)\/(\.\/\1|\.\.\/sysdeps)\/|(^|\/)(glibc|musl)-[\d.]+\//, origin: library },
  { path: /^(rtld|dl-[\w-]+|libc[-_]start\w*|pthread_create)\.[ch]$/, origin: library },
  { name: /@@GLIBC_|^_dl_(start|map|new|relocate|init|open|main|lookup|sysdep|fini)/, origin: library },
  {
    path: /(^|\/)(libc|libm|libdl|librt|libpthread|libstdc\+\+|libc\+\+|libgcc_s|ld-[\w-]+)[-.][^/]*(so|dylib)/,
    origin: library,
  },
  { path: /(^|\/)(libsystem_\w+|libobjc|libdyld|libSystem|libdispatch)[\w.]*\.dylib$/, origin: library },
  { path: /(^|\/)(ntdll|kernel32|kernelbase|ucrtbase|msvcrt|msvcp\w+|vcruntime\w+)\.dll$/i, origin: library },
  {
    path: /^$|(^|\/)include\/(c\+\+|g\+\+)\/|^[^.]*$/,
    name: /^(?:.*? )?(std|__gnu_cxx|__cxxabiv1)::|^operator (new|delete)\b/,
    origin: library,
  },
  { path: /(^|\/)include\/c\+\+\//, origin: library },
  // Other libraries are called as their file is; of a program alone nothing is known.
  { path: /(?:^|\/)([^/]+(?:\.so(?:\.[\d.]+)?|\.(?:dll|dylib)))$/, origin: '$1' },
]
