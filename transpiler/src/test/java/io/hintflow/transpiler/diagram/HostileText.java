package io.hintflow.transpiler.diagram;

import java.util.List;
import java.util.stream.Collectors;

/** Texts that would do harm, or end what they stand in, if they got anywhere as they are. */
final class HostileText {
  static final List<String> ALL =
      List.of(
          "</script><script>window.hacked = 1</script>",
          "</title></style></svg><img src=x onerror=\"window.hacked = 1\">",
          "\" onload=\"window.hacked = 1\" x=\"",
          "' autofocus onfocus='window.hacked = 1",
          "--><script>window.hacked = 1</script><!--",
          "]]><script>window.hacked = 1</script><![CDATA[",
          "{{{code}}} {{title}} &lt;script&gt; &#60; &amp;",
          "<svg onload=window.hacked=1>",
          "javascript:window.hacked=1 $(window.hacked = 1) \\u003cscript\\u003e \\\" \\",
          "\u202Ereversed\u202C \u0000\u0001\u001B[31m\u0085\u2028\uFFFE 中文 \uD83D\uDC68\u200D\uD83D\uDC69 \uD83D");

  private HostileText() {}

  /** Of a job that has these texts wherever a script can have one, in three stages for each. */
  static Pictures pictures(List<String> texts) {
    return Pictures.of(
        texts.get(0), texts.stream().map(HostileText::script).collect(Collectors.joining()));
  }

  private static String script(String hostile) {
    String name = "`" + hostile.replace("`", "``") + "`";
    String literal = "'" + hostile.replace("'", "''") + "'";
    return """
        -- %s
        CREATE TABLE %s (a STRING, b STRING) WITH ('connector' = 'datagen', %s = %s);
        SELECT /*+ DISTRIBUTEBY(%s) */ a AS %s FROM %s WHERE b <> %s;
        """
        .formatted(hostile, name, literal, literal, name, name, name, literal);
  }
}
