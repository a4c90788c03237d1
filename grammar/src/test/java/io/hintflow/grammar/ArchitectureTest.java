package io.hintflow.grammar;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** This module knows SQL, not Flink jobs. */
@AnalyzeClasses(packages = "io.hintflow", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule onlyTheGrammarIsHere =
      classes().should().resideInAPackage("io.hintflow.grammar");

  @ArchTest
  static final ArchRule ofFlinkOnlyItsParserIsUsed =
      noClasses()
          .should()
          .dependOnClassesThat(
              resideInAPackage("org.apache.flink..")
                  .and(resideOutsideOfPackage("org.apache.flink.sql.parser..")));

  @ArchTest
  static final ArchRule ofCalciteNeitherValidatorNorPlannerIsUsed =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.calcite.sql.validate..", "org.apache.calcite.rel..");
}
