# Usage: ruby text.rb file.json
require 'benchmark/ips'

words = (1..500).map { |number| "word#{number}" }

Benchmark.ips do |x|
  x.config(time: 1, warmup: 0.2)
  x.report('join words') { words.join(' ') }
  x.report('sort by length, then reverse') { words.sort_by(&:length).reverse }
  x.compare!
  x.json!(ARGV[0])
end
