package com.example.text;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** Measured by JMH, in three of its modes. */
@State(Scope.Benchmark)
@Fork(2)
@Warmup(iterations = 1, time = 20, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 3, time = 20, timeUnit = TimeUnit.MILLISECONDS)
public class JoinBenchmark {
  @Param({"10", "10000"})
  public int count;

  @Benchmark
  @BenchmarkMode({Mode.AverageTime, Mode.Throughput})
  @OutputTimeUnit(TimeUnit.MICROSECONDS)
  public String join() {
    StringBuilder text = new StringBuilder();
    for (int number = 0; number < count; number++) text.append(number).append(' ');
    return text.toString();
  }

  @Benchmark
  @BenchmarkMode({Mode.SampleTime, Mode.SingleShotTime})
  @OutputTimeUnit(TimeUnit.MILLISECONDS)
  public int hash() {
    int hash = 7;
    for (int number = 0; number < count; number++) hash = 31 * hash + number;
    return hash;
  }
}
