# Usage: ruby text.rb bm|bmbm
require 'benchmark'

words = (1..500).map { |number| "word#{number}" }

case ARGV[0]
when 'bm'
  Benchmark.bm(12) do |x|
    x.report('join:') { 2000.times { words.join(' ') } }
    x.report('sort by size') { 1000.times { words.sort_by(&:length) } }
  end
when 'bmbm'
  Benchmark.bmbm do |x|
    x.report('join') { 2000.times { words.join(' ') } }
    x.report('sort') { 1000.times { words.sort_by(&:length) } }
  end
end
