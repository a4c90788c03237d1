package io.hintflow.cli;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.io.File;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Imports run one way, cli to transpiler to grammar, and none of them leads to Flink's runtime or
 * planner.
 */
@AnalyzeClasses(
    packages = "io.hintflow",
    importOptions = {DoNotIncludeTests.class, ImportRulesTest.DoNotIncludeTestJars.class})
class ImportRulesTest {
  /** The tests of the other modules come in jars, which ArchUnit does not take for tests. */
  static final class DoNotIncludeTestJars implements ImportOption {
    @Override
    public boolean includes(Location location) {
      return !location.contains("-tests.jar");
    }
  }

  @ArchTest
  static final ArchRule GRAMMAR_KNOWS_NEITHER_TRANSPILER_NOR_CLI =
      noClasses()
          .that()
          .resideInAPackage("io.hintflow.grammar..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hintflow.transpiler..", "io.hintflow.cli..");

  @ArchTest
  static final ArchRule TRANSPILER_KNOWS_NO_CLI =
      noClasses()
          .that()
          .resideInAPackage("io.hintflow.transpiler..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.hintflow.cli..");

  @ArchTest
  static final ArchRule FLINK_IS_ITS_PARSER_ONLY =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAPackage("org.apache.flink..")
                  .and(
                      not(
                          resideInAnyPackage(
                              "org.apache.flink.sql.parser..", "org.apache.flink.annotation.."))));

  @ArchTest
  static final ArchRule ONLY_THE_CLI_TOUCHES_FILES_AND_PROCESSES =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.hintflow.cli..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.(io\\.(File|FileInputStream|FileOutputStream|Console)"
                  + "|nio\\.file\\.Files|lang\\.Process|lang\\.ProcessBuilder)");

  /** The tests' class path, that is: RocksDB is there for the benches to hand to Flink. */
  @Test
  void noJarOfFlinkButItsParserIsOnTheClassPath() {
    assertThat(
            Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(entry -> Path.of(entry).getFileName().toString())
                .filter(name -> name.startsWith("flink-")))
        .allMatch(
            name -> name.matches("flink-(sql-parser|annotations|statebackend-rocksdb)-.*\\.jar"))
        .isNotEmpty();
  }
}
