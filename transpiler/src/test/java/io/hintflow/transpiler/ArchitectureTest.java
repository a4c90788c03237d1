package io.hintflow.transpiler;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which way imports run. */
@AnalyzeClasses(packages = "io.hintflow", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule KNOWS_NO_COMMAND_LINE =
      noClasses()
          .that()
          .resideInAPackage("io.hintflow.transpiler..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.hintflow.cli..", "io.hintflow.operators..", "picocli..");

  @ArchTest
  static final ArchRule KNOWS_OF_FLINK_THE_PARSER_ALONE =
      noClasses()
          .that()
          .resideInAPackage("io.hintflow.transpiler..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "org.apache.flink.table..",
              "org.apache.flink.streaming..",
              "org.apache.flink.api..",
              "org.apache.flink.configuration..");

  @ArchTest
  static final ArchRule IS_A_PURE_FUNCTION =
      noClasses()
          .that()
          .resideInAPackage("io.hintflow.transpiler..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.nio\\.file\\.(Files|Paths)|java\\.io\\.File.*|java\\.net\\..*|java\\.time\\.Clock|java\\.util\\.Random");

  @ArchTest
  static final ArchRule EACH_LOWERING_STANDS_ALONE =
      slices().matching("io.hintflow.transpiler.(*)..").should().beFreeOfCycles();
}
