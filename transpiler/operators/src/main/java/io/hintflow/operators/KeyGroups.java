package io.hintflow.operators;

import org.apache.flink.api.common.TaskInfo;
import org.apache.flink.runtime.state.KeyGroupRange;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;

/**
 * The key groups of one task, and keys that lie in a chosen one.
 *
 * <p>Flink keeps keyed state in key groups, moves whole groups between tasks when a job is
 * rescaled, and lets a task use the keys of its own groups only. Which group a key is in follows
 * from its hash code, so a key for a chosen group is made backwards: from the group to the hash
 * code, from the hash code to the key. Flink's public API tells neither the groups of a task nor
 * the group of a key; {@link KeyGroupRangeAssignment} is the one internal class asked for both, and
 * {@link #of} makes sure that the keys made here are where they should be.
 */
final class KeyGroups {
  private final int maxParallelism;
  private final int first;
  private final int last;

  private KeyGroups(int maxParallelism, KeyGroupRange range) {
    this.maxParallelism = maxParallelism;
    this.first = range.getStartKeyGroup();
    this.last = range.getEndKeyGroup();
  }

  /**
   * The key groups of a task.
   *
   * @throws IllegalStateException if this Flink assigns keys to groups in a way not known here
   */
  static KeyGroups of(TaskInfo task) {
    int maxParallelism = task.getMaxNumberOfParallelSubtasks();
    KeyGroups groups =
        new KeyGroups(
            maxParallelism,
            KeyGroupRangeAssignment.computeKeyGroupRangeForOperatorIndex(
                maxParallelism, task.getNumberOfParallelSubtasks(), task.getIndexOfThisSubtask()));
    for (int group = groups.first; group <= groups.last; group++) {
      if (groups.groupOf(groups.key(group, 31 * group)) != group) {
        throw new IllegalStateException(
            "This version of Flink assigns keys to key groups in another way than the broadcast join"
                + " expects, so rows would be lost: run the job on the Flink version it was made for.");
      }
    }
    return groups;
  }

  int first() {
    return first;
  }

  int last() {
    return last;
  }

  /** The group in which Flink puts a key. */
  int groupOf(Long key) {
    return KeyGroupRangeAssignment.assignToKeyGroup(key, maxParallelism);
  }

  /** One of the groups of this task, always the same one for the same hash. */
  int ownGroup(int hash) {
    return first + Integer.remainderUnsigned(hash, last - first + 1);
  }

  /**
   * A key in the given group, another one for each hash. Keys of one group have distinct hash codes
   * too, as far as there are that many: with one hash code for a whole group, the state in memory
   * would become one long list.
   */
  long key(int group, int hash) {
    int rounds = Integer.MAX_VALUE / maxParallelism;
    int hashCode =
        hashCodeThatMixesTo(group + maxParallelism * Integer.remainderUnsigned(hash, rounds));
    // The hash code of a Long is its upper half xor its lower half.
    return (long) hash << 32 | (hash ^ hashCode) & 0xffffffffL;
  }

  /** The inverse of Flink's MathUtils.murmurHash, for a number that is not negative. */
  private static int hashCodeThatMixesTo(int mixed) {
    int code = mixed;
    code ^= code >>> 16;
    code *= INVERSE_OF_MIX_2;
    code ^= code >>> 13 ^ code >>> 26;
    code *= INVERSE_OF_MIX_1;
    code ^= code >>> 16;
    code ^= 4;
    code = (code - 0xe6546b64) * INVERSE_OF_5;
    code = Integer.rotateRight(code, 13) * INVERSE_OF_FACTOR_2;
    return Integer.rotateRight(code, 15) * INVERSE_OF_FACTOR_1;
  }

  private static final int INVERSE_OF_FACTOR_1 = inverse(0xcc9e2d51);
  private static final int INVERSE_OF_FACTOR_2 = inverse(0x1b873593);
  private static final int INVERSE_OF_5 = inverse(5);
  private static final int INVERSE_OF_MIX_1 = inverse(0x85ebca6b);
  private static final int INVERSE_OF_MIX_2 = inverse(0xc2b2ae35);

  /** The number that, times an odd number, is 1 in 32 bits; by Newton's method. */
  private static int inverse(int odd) {
    int inverse = odd; // Right in its last three bits; each round doubles them.
    for (int bits = 3; bits < 32; bits *= 2) {
      inverse *= 2 - odd * inverse;
    }
    return inverse;
  }
}
