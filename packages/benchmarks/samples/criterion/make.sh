#!/bin/sh
# Needs cargo and librust-criterion-dev, whose crates Debian puts into /usr/share/cargo/registry.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=/app/samples/criterion
mkdir -p "$work/benches" "$work/src" "$work/.cargo"
cd "$work"
cp "$here/texts.rs" benches/texts.rs
: >src/lib.rs
cat >Cargo.toml <<'END'
[package]
name = "texts"
version = "0.1.0"
edition = "2021"

[lib]
bench = false

[dev-dependencies]
criterion = "0.3"

[[bench]]
name = "texts"
harness = false
END
cat >.cargo/config.toml <<'END'
[source.crates-io]
replace-with = "debian"

[source.debian]
directory = "/usr/share/cargo/registry"
END
rm -rf target/criterion
cargo bench --offline >"$here/console.txt" 2>/dev/null
cargo bench --offline -- --output-format bencher >"$here/bencher.txt" 2>/dev/null
rm -rf "$here/target"
# Only the newest measurement of each, without reports and the files that compare it with an older one.
find target/criterion -path '*/new/*.json' ! -name tukey.json | while read -r file; do
  mkdir -p "$here/$(dirname "$file")"
  cp "$file" "$here/$file"
done
