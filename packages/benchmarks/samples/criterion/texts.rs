//! What the criterion samples measure: a group with parameters and throughput, flat and linear sampling.
use criterion::{black_box, criterion_group, criterion_main, BenchmarkId, Criterion, SamplingMode, Throughput};

fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(1, |sum, byte| sum.wrapping_mul(31).wrapping_add(u32::from(*byte)))
}

fn texts(c: &mut Criterion) {
    let mut group = c.benchmark_group("checksum");
    for size in [64, 4096] {
        let bytes = vec![b'x'; size];
        group.throughput(Throughput::Bytes(size as u64));
        group.bench_with_input(BenchmarkId::new("fold", size), &bytes, |b, bytes| {
            b.iter(|| checksum(black_box(bytes)))
        });
    }
    group.finish();

    let mut group = c.benchmark_group("sort");
    group.throughput(Throughput::Elements(50_000));
    group.sampling_mode(SamplingMode::Flat);
    group.bench_function("unstable, reversed", |b| {
        b.iter(|| {
            let mut numbers: Vec<u32> = (0..50_000).map(|n| (n * 7919) % 50_021).collect();
            numbers.sort_unstable();
            numbers
        })
    });
    group.finish();

    c.bench_function("join words", |b| b.iter(|| black_box(["one", "two", "three"]).join(" ")));
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(20)
        .without_plots()
        .warm_up_time(std::time::Duration::from_millis(200))
        .measurement_time(std::time::Duration::from_millis(500));
    targets = texts
}
criterion_main!(benches);
