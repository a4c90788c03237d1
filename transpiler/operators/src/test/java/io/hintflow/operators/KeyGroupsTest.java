package io.hintflow.operators;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.flink.api.common.TaskInfoImpl;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.junit.jupiter.api.Test;

class KeyGroupsTest {
  @Property(tries = 300)
  void aKeyIsInItsGroupAndTheGroupIsTheTasks(
      @ForAll @IntRange(min = 1, max = 32_768) int maxParallelism,
      @ForAll @IntRange(min = 1, max = 200) int parallelism,
      @ForAll int hash) {
    int tasks = Math.min(parallelism, maxParallelism);
    int task = Integer.remainderUnsigned(hash, tasks);
    KeyGroups groups = KeyGroups.of(new TaskInfoImpl("join", maxParallelism, task, tasks, 0));

    for (int group : new int[] {groups.first(), groups.ownGroup(hash), groups.last()}) {
      Long key = groups.key(group, hash);

      assertThat(groups.groupOf(key)).isEqualTo(group);
      assertThat(KeyGroupRangeAssignment.assignKeyToParallelOperator(key, maxParallelism, tasks))
          .isEqualTo(task);
    }
  }

  /** One hash code for all keys of a group would make a list of a hash table. */
  @Test
  void keysOfAGroupDifferAndSoDoTheirHashCodes() {
    KeyGroups groups = KeyGroups.of(new TaskInfoImpl("join", 128, 0, 1, 0));
    Random hashes = new Random(1);
    Set<Long> keys = new HashSet<>();
    Set<Integer> hashCodes = new HashSet<>();

    for (int index = 0; index < 100_000; index++) {
      Long key = groups.key(5, hashes.nextInt());
      keys.add(key);
      hashCodes.add(key.hashCode());
    }

    assertThat(keys).hasSizeGreaterThan(99_990);
    assertThat(hashCodes).hasSizeGreaterThan(99_000);
  }
}
