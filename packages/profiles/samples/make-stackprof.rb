# Makes stackprof/*.json and prints what StackProf itself says about them. Needs Ruby (3.1) and its gem stackprof (0.2.21):
#   ruby make-stackprof.rb
require 'json'
require 'stackprof'

def fib(n)
  n < 2 ? n : fib(n - 1) + fib(n - 2)
end

def sort_words(count)
  (0...count).map { |index| (index * 7919 % count).to_s }.sort
end

def work
  sort_words(60_000)
  fib(24)
end

def short(profile)
  profile[:frames].each_value { |frame| frame[:file] = frame[:file].sub(__dir__, '/src') if frame[:file] }
  profile
end

def save(name, profile)
  File.write("#{__dir__}/stackprof/#{name}.json", JSON.generate(profile))
  puts "#{name}: mode #{profile[:mode]}, #{profile[:samples]} samples"
  profile[:frames].each_value do |frame|
    puts "  #{frame[:name]}:#{frame[:line]} #{frame[:samples]}/#{frame[:total_samples]}"
  end
end

save('cpu', short(StackProf.run(mode: :cpu, interval: 4000, raw: true) { 3.times { work } }))
save('wall', short(StackProf.run(mode: :wall, interval: 10_000, raw: true) { work; sleep 0.2 }))
save('wall-aggregate', short(StackProf.run(mode: :wall, interval: 2000) { work }))
save('object', short(StackProf.run(mode: :object, interval: 200, raw: true) { sort_words(6000) }))
