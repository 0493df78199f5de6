"""Settings with which Spark is quick on tables of some hundred rows."""

# Small tables are computed before their code would be compiled, by Spark or by Java.
SMALL_SPARK = {
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.sql.adaptive.enabled": "false",
    "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
}
