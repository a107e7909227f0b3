//! What the libtest samples measure: benchmarks in a module and in a target of their own, one that is ignored.
#![feature(test)]
extern crate test;

#[cfg(test)]
mod tests {
    use test::{black_box, Bencher};

    #[bench]
    fn join_words(b: &mut Bencher) {
        b.iter(|| black_box(["one", "two", "three"]).join(" "));
    }

    #[bench]
    #[ignore]
    fn too_slow(b: &mut Bencher) {
        b.iter(|| std::thread::sleep(std::time::Duration::from_secs(1)));
    }
}
