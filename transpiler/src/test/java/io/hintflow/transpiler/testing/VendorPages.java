package io.hintflow.transpiler.testing;

import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The vendors' own pages. They are not ours to carry: {@code -Dhintflow.seeds=FOLDER} names the
 * folder that has them, and a test that asks for one without it is left out.
 */
public final class VendorPages {
  private static final Pattern CODE = Pattern.compile("```\\n(.*?)```", Pattern.DOTALL);

  private VendorPages() {}

  /**
   * @param number what the name of its file begins with
   */
  public static String page(String number) throws IOException {
    String folder = System.getProperty("hintflow.seeds", "");
    assumeThat(folder).as("-Dhintflow.seeds names no folder with the vendors' pages").isNotBlank();
    try (Stream<Path> files = Files.list(Path.of(folder))) {
      Path page =
          files
              .filter(file -> file.getFileName().toString().startsWith(number))
              .findFirst()
              .orElseThrow();
      return Files.readString(page);
    }
  }

  /** The code of a page that marks it as such, in its order. */
  public static List<String> code(String number) throws IOException {
    return CODE.matcher(page(number)).results().map(match -> match.group(1)).toList();
  }

  /** The script of the article on the regular join: two topics of Kafka, joined into the log. */
  public static String regularJoin() throws IOException {
    String page = page("003");
    return page.substring(page.indexOf("CREATE TABLE `order_source`"), page.indexOf("3. 运行作业"));
  }
}
