#!/bin/sh
# Needs cargo of 1.82 or later (which prints fractions of ns), and Debian's 1.63 in /usr/bin (which does not).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/rust_bench
mkdir -p "$work/benches" "$work/src"
cd "$work"
cp "$here/lib.rs" src/lib.rs
cp "$here/checksum.rs" benches/checksum.rs
cat >Cargo.toml <<'END'
[package]
name = "words"
version = "0.1.0"
edition = "2021"
END
export RUSTC_BOOTSTRAP=1
cargo bench --offline --no-fail-fast >"$here/two-targets.txt" 2>&1 || true
rm Cargo.lock
export RUSTC=/usr/bin/rustc
/usr/bin/cargo bench --offline --lib --target-dir old >"$here/whole-ns.txt" 2>/dev/null
